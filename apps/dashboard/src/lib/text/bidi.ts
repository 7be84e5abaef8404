/** Isolates a figure (UAX #9, LRI … PDI): in a text from right to left its sign and its unit would change their places. */
export function bidiIsolated(figure: string): string {
  return document.dir === 'rtl' ? `\u2066${figure}\u2069` : figure
}
