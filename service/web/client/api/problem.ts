/** A refusal of the service (RFC 9457). */

export interface Problem {
  readonly code: string;
  readonly detail: string;
  readonly title?: string;
  readonly type?: string;
  readonly label?: string;
  readonly errors?: readonly { readonly field: string; readonly message: string }[];
  readonly [member: string]: unknown;
}

export class Refusal extends Error {
  readonly status: number;
  readonly problem: Problem;

  /** `language` is that of the problem's title; its detail is in English. */
  constructor(status: number, problem: Problem, language = "en") {
    super(
      problem.label ?? (language === "en" ? problem.detail : (problem.title ?? problem.detail)),
    );
    this.status = status;
    this.problem = problem;
  }

  static of(error: unknown, response: Response): Refusal {
    const problem = error as Problem | undefined;
    const language = response.headers.get("Content-Language") ?? "en";
    if (typeof problem?.code === "string") return new Refusal(response.status, problem, language);
    return new Refusal(response.status, {
      code: "unreadable",
      detail: `${response.status} ${response.statusText}`,
    });
  }
}

/** An error's message, followed by the errors of fields that the message does not mention. */
export function sentence(error: unknown): string {
  if (error instanceof Refusal) {
    const fields = error.problem.errors?.map(({ field, message }) => `${field}: ${message}`) ?? [];
    return [...new Set([error.message, ...fields])].join(" · ");
  }
  return error instanceof Error ? error.message : String(error);
}

export function codeOf(error: unknown): string | null {
  return error instanceof Refusal ? error.problem.code : null;
}
