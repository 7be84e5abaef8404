/** Fills facts into a text, all in one pass: a shop's name may hold braces and dollar signs. */
export function fill(text: string, facts: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => facts[name] ?? whole)
}
