/** In a text from right to left a figure keeps its own order: without this its sign and its unit change their places. */
export function inOnePiece(figure: string): string {
  return document.dir === 'rtl' ? `\u2066${figure}\u2069` : figure
}
