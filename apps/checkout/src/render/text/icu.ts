/** One part of a parsed message: text, a placeholder (`fact`), the number of a plural (`#`), or a plural with its cases. */
export type Piece =
  | string
  | { readonly fact: string }
  | { readonly count: true }
  | { readonly plural: string; readonly cases: Readonly<Record<string, readonly Piece[]>> }

/** Reads the part of ICU MessageFormat the catalogues use: `{name}`, `{name, plural, =0 {…} one {…} other {…}}` and `#` inside. */
export function parseMessage(message: string): readonly Piece[] {
  const { pieces, at } = readPieces(message, 0, false)
  if (at !== message.length) throw new SyntaxError(`Unexpected } in "${message}"`)
  return pieces
}

/** Lists the placeholders of a message, each once. */
export function factsOf(message: string): string[] {
  const names = (pieces: readonly Piece[]): string[] =>
    pieces.flatMap((piece) => {
      if (typeof piece === 'string' || 'count' in piece) return []
      return 'fact' in piece ? [piece.fact] : [piece.plural, ...Object.values(piece.cases).flatMap(names)]
    })
  return [...new Set(names(parseMessage(message)))].sort()
}

type ParsedPieces = { readonly pieces: readonly Piece[]; readonly at: number }

function readPieces(message: string, start: number, isInPlural: boolean): ParsedPieces {
  const pieces: Piece[] = []
  let at = start
  while (at < message.length && message[at] !== '}') {
    if (message[at] === '{') {
      const { piece, end } = readFact(message, at + 1)
      pieces.push(piece)
      at = end
    } else if (isInPlural && message[at] === '#') {
      pieces.push({ count: true })
      at += 1
    } else {
      const [text = ''] = message.slice(at).match(isInPlural ? /^[^{}#]+/ : /^[^{}]+/) ?? []
      pieces.push(text)
      at += text.length
    }
  }
  return { pieces, at }
}

function readFact(message: string, start: number): { piece: Piece; end: number } {
  const [whole = '', name = '', mark = ''] = /^(\w+)(\}|, plural, )/.exec(message.slice(start)) ?? []
  if (name === '') throw new SyntaxError(`Not a fact in "${message}"`)
  let at = start + whole.length
  if (mark === '}') return { piece: { fact: name }, end: at }
  const cases: Record<string, readonly Piece[]> = {}
  while (message[at] !== '}') {
    const [head = '', category = ''] = /^ ?(=\d+|[a-z]+) \{/.exec(message.slice(at)) ?? []
    if (category === '') throw new SyntaxError(`Not a plural in "${message}"`)
    const branch = readPieces(message, at + head.length, true)
    cases[category] = branch.pieces
    at = branch.at + 1
  }
  if (cases['other'] === undefined) throw new SyntaxError(`No other in "${message}"`)
  return { piece: { plural: name, cases }, end: at + 1 }
}
