/** What the browser keeps. A browser that keeps nothing (a private window) forgets it with the tab. */

const PREFIX = "lonja:";
const memory = new Map<string, string>();

export function kept<T>(name: string): T | null {
  const text = read(PREFIX + name);
  try {
    return text === null ? null : (JSON.parse(text) as T);
  } catch {
    return null; // written by somebody else
  }
}

export function keep(name: string, value: unknown): void {
  const text = JSON.stringify(value);
  memory.set(PREFIX + name, text);
  try {
    localStorage.setItem(PREFIX + name, text);
  } catch {
    // the tab remembers it
  }
}

export function forget(name: string): void {
  memory.delete(PREFIX + name);
  try {
    localStorage.removeItem(PREFIX + name);
  } catch {
    // it was never there
  }
}

function read(name: string): string | null {
  try {
    return localStorage.getItem(name) ?? memory.get(name) ?? null;
  } catch {
    return memory.get(name) ?? null;
  }
}
