import { describe, expect, it } from 'vitest'

import { csvLine, readCsv } from './csv.ts'

describe('readCsv', () => {
  it.each([
    ['a,b\r\n1,2\r\n', ['1:a|b', '2:1|2']],
    ['\uFEFFa;b\n1;2', ['1:a|b', '2:1|2']],
    ['a\tb\n1\t2,5', ['1:a|b', '2:1|2,5']],
    ['a,b\n"x, ""y""\nz",2\n3,4', ['1:a|b', '2:x, "y"\nz|2', '4:3|4']],
    ['a,b\n\n , \n1,', ['1:a|b', '4:1|']],
    ['', []],
  ])('reads %j', (text, rows) => {
    expect([...readCsv(text)].map(({ line, cells }) => `${line}:${cells.join('|')}`)).toEqual(rows)
  })

  it.each(['+49151', '@ann', '-x', '=A1', '＋1', 'a;=b', 'a\n-b', "'quoted'", "it's", "O'-1", '-5', '"'])(
    'reads %j as it was written',
    (text) => {
      expect([...readCsv(csvLine(['name', 'x']) + csvLine([text, 'y']))].at(1)?.cells).toEqual([text, 'y'])
    },
  )
})

describe('csvLine', () => {
  it('quotes what needs it and lets no cell become a formula', () => {
    expect(csvLine(['a', 'b,"c"', '=SUM(A1)', '-5', '-x'])).toBe(`a,"b,""c""",'=SUM(A1),-5,'-x\r\n`)
  })

  it.each([
    ['＝1+1', "'＝1+1"],
    ['＠SUM(A1)', "'＠SUM(A1)"],
    ['a;=1+1', "a;'=1+1"],
    ['a\t-x', "a\t'-x"],
    ['a\n＋1', '"a\n\'＋1"'],
  ])('writes %j so that no spreadsheet takes a part of it for a formula', (text, cell) => {
    expect(csvLine([text])).toBe(`${cell}\r\n`)
  })
})
