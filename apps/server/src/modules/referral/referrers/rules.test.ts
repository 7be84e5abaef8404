import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { shareMailbox } from './rules.ts'

const name = fc.stringMatching(/^[a-z0-9][a-z0-9_-]{0,10}(\.[a-z0-9_-]{1,5}){0,2}$/)
const tag = fc.stringMatching(/^[a-z0-9.+-]{0,8}$/)
const domain = fc.constantFrom('gmail.com', 'googlemail.com', 'shop.example', 'mail.example')
const email = fc.tuple(name, domain).map(([one, at]) => `${one}@${at}`)

describe('shareMailbox', () => {
  it.each([
    ['ann@shop.example', 'Ann@Shop.example', true],
    ['ann@shop.example', 'ann+friend@shop.example', true],
    ['ann+a@shop.example', 'ann+b@shop.example', true],
    ['a.nn@gmail.com', 'ann+x@googlemail.com', true],
    ['a.nn@shop.example', 'ann@shop.example', false],
    ['ann@gmail.com', 'ann@shop.example', false],
    ['+a@shop.example', '+b@shop.example', false],
    ['ann@shop.example', 'bob@shop.example', false],
  ])('%s and %s: %s', (one, other, expected) => {
    expect(shareMailbox(one, other)).toBe(expected)
  })

  it('holds for an address in any case, with any tag, in both directions', () => {
    fc.assert(
      fc.property(email, tag, (one, more) => {
        const [local, at] = one.split('@')
        const tagged = `${local}+${more}@${at}`.toUpperCase()
        expect([shareMailbox(one, one), shareMailbox(one, tagged), shareMailbox(tagged, one)]).toEqual([
          true,
          true,
          true,
        ])
      }),
    )
  })

  it('never holds for other names, or for other domains than those of Gmail', () => {
    fc.assert(
      fc.property(name, name, domain, domain, (one, other, at, elsewhere) => {
        const isGmail = (text: string) => text.startsWith('g')
        const plain = (text: string) => (isGmail(at) ? text.replaceAll('.', '') : text)
        const isSame = plain(one) === plain(other) && (at === elsewhere || (isGmail(at) && isGmail(elsewhere)))
        expect(shareMailbox(`${one}@${at}`, `${other}@${elsewhere}`)).toBe(isSame)
      }),
    )
  })
})
