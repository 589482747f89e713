/** Words with a capital first letter, for the beginning of a line. */
export function capital(words: string): string {
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}
