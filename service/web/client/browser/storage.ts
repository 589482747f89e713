/**
 * The browser's storage. What it does not take, because there is none (in a private window) or it is full, lasts as long
 * as the tab.
 */

const PREFIX = "lonja:";
const memory = new Map<string, string>();

export function kept<T>(name: string): T | null {
  const text = read(PREFIX + name);
  try {
    return text === null ? null : (JSON.parse(text) as T);
  } catch {
    return null; // another program wrote the value
  }
}

export function keep(name: string, value: unknown): void {
  const text = JSON.stringify(value);
  try {
    localStorage.setItem(PREFIX + name, text);
    memory.delete(PREFIX + name);
  } catch {
    memory.set(PREFIX + name, text);
  }
}

/** Stores a value that must last longer than the tab; returns whether the browser has stored it. */
export function keepForGood(name: string, value: unknown): boolean {
  const text = JSON.stringify(value);
  try {
    localStorage.setItem(PREFIX + name, text);
    return localStorage.getItem(PREFIX + name) === text;
  } catch {
    return false;
  }
}

/** The names of all stored values with a prefix. */
export function namesOf(prefix: string): string[] {
  try {
    return Object.keys(localStorage)
      .filter((name) => name.startsWith(PREFIX + prefix))
      .map((name) => name.slice(PREFIX.length));
  } catch {
    return [];
  }
}

export function forget(name: string): void {
  memory.delete(PREFIX + name);
  try {
    localStorage.removeItem(PREFIX + name);
  } catch {
    // without storage there is nothing to remove
  }
}

function read(name: string): string | null {
  try {
    return memory.get(name) ?? localStorage.getItem(name);
  } catch {
    return null;
  }
}
