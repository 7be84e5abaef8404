/** The line under a printed page's title: who prints it, and from what. */
export function printedFrom(source: string): string {
  return `> Printed from \`${source}\` by \`npm run docs\`. Change the source, not this page.`
}

/** A table of GitHub-flavoured Markdown; bars and line breaks in cells are escaped. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`
  return [row(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(row)].join('\n')
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}

/** A page from its parts, with one empty line between them and one line break at its end. */
export function page(...parts: readonly string[]): string {
  return `${parts.join('\n\n')}\n`
}
