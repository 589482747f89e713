/** Fields that several forms share. */

import type { Ruleset } from "../board/rulesets.ts";
import { language } from "../browser/language.ts";
import { phrases } from "../phrases/phrases.ts";
import { say } from "../words/labels.ts";

interface OptionSchema {
  readonly type?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly description?: string;
}

export function NameField({ name, onChange }: { name: string; onChange: (name: string) => void }) {
  const words = phrases.value;
  return (
    <label>
      {words.yourName} <small>{words.nameHint}</small>
      <input
        value={name}
        maxLength={60}
        autocomplete="nickname"
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    </label>
  );
}

export function OptionFields({
  game,
  options,
  onChange,
}: {
  game: Ruleset;
  options: Record<string, unknown>;
  onChange: (options: Record<string, unknown>) => void;
}) {
  const schemas = Object.entries(game.summary.options as Record<string, OptionSchema>);
  if (schemas.length === 0) return null;
  const labels = game.words[language.value];
  return (
    <details>
      <summary>{phrases.value.options}</summary>
      {schemas.map(([name, schema]) => (
        <label key={name}>
          {say(labels, `option.${name}`)}
          <OptionField
            schema={schema}
            value={options[name] ?? schema.default}
            onChange={(value) => onChange({ ...options, [name]: value })}
          />
        </label>
      ))}
    </details>
  );
}

function OptionField({
  schema,
  value,
  onChange,
}: {
  schema: OptionSchema;
  value: unknown;
  onChange: (value: unknown) => void;
}) {
  const words = phrases.value;
  if (schema.type === "boolean" || schema.enum) {
    const values = schema.enum ?? [true, false];
    return (
      <select
        value={values.indexOf(value)}
        onChange={(event) => onChange(values[Number(event.currentTarget.value)])}
      >
        {values.map((item, index) => (
          <option key={String(item)} value={index}>
            {typeof item === "boolean" ? (item ? words.yes : words.no) : String(item)}
          </option>
        ))}
      </select>
    );
  }
  return (
    <input
      type="number"
      min={schema.minimum}
      max={schema.maximum}
      value={String(value)}
      onChange={(event) => onChange(Number(event.currentTarget.value))}
    />
  );
}
