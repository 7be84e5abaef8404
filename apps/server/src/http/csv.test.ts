import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { csvLine } from './csv.ts'

describe('csvLine', () => {
  it('writes text, numbers, nothing and objects', () => {
    expect(csvLine(['a', 1, null, undefined, true, { b: 2 }])).toBe('a,1,,,true,"{""b"":2}"\r\n')
  })

  it('quotes what would break a line or a cell', () => {
    expect(csvLine(['a,b', 'say "hi"', 'two\nlines'])).toBe('"a,b","say ""hi""","two\nlines"\r\n')
  })

  it.each(['=1+1', '+1', '-x', '@SUM(A1)', '\tx', '\rx', '＝1+1', '＋1', '－x', '＠SUM(A1)'])(
    'keeps %j from becoming a formula',
    (text) => {
      expect(csvLine([text]).replace(/^"/, '')).toMatch(/^'/)
    },
  )

  it.each(['a;=1+1', 'a;-x', 'a;+1', 'a;＝1', 'a\n=1+1', 'a\t@x'])(
    'keeps %j from becoming one where a cell ends at another sign',
    (text) => {
      for (const cell of csvLine([text]).split(/[;\t\n]/)) expect(cell).not.toMatch(/^[=+\-@＝＋－＠]/)
    },
  )

  it('leaves negative numbers as they are', () => {
    expect(csvLine(['-5.25', '-1'])).toBe('-5.25,-1\r\n')
  })

  it('never leaves a cell a spreadsheet would calculate, and never breaks the row', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1 }), (cells) => {
        const read = readLine(csvLine(cells))
        expect(read).toHaveLength(cells.length)
        for (const [at, cell] of read.entries()) {
          expect(cell.replaceAll("'", '')).toBe(cells[at]?.replaceAll("'", ''))
          expect(/^[=+@\t\r＝＋－＠]|[;\t\r\n][=+@＝＋－＠-]/.test(cell)).toBe(false)
        }
      }),
    )
  })
})

/** Reads one line as RFC 4180 says. */
function readLine(line: string): string[] {
  const cells: string[] = []
  let rest = line.slice(0, -2)
  for (;;) {
    const quoted = /^"((?:[^"]|"")*)"/.exec(rest)
    const plain = quoted ? undefined : /^[^,]*/.exec(rest)
    cells.push(quoted ? (quoted[1] ?? '').replaceAll('""', '"') : (plain?.[0] ?? ''))
    rest = rest.slice((quoted ?? plain)?.[0].length ?? 0)
    if (!rest.startsWith(',')) return cells
    rest = rest.slice(1)
  }
}
