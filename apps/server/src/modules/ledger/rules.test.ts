import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { ACCOUNTS, type DepositPosting, reversalOf, mirrorKey, type PostedDeposit, buildEntry } from './rules.ts'

const POSTINGS: DepositPosting[] = [
  'deposit.seen',
  'deposit.apply',
  'deposit.unapplied',
  'deposit.ignored',
  'deposit.quarantine',
]

const deposit: PostedDeposit = {
  id: 812n,
  round: 1,
  blockchainId: 4,
  assetId: 8,
  addressId: 77n,
  projectId: 3,
  units: 12_500_000n,
  height: 1_000,
}

const described = (posting: DepositPosting, of: PostedDeposit = deposit) =>
  buildEntry({ posting, deposit: of }).lines.map(
    ({ debit, credit, units }) =>
      `${debit.kind} ${debit.ownerKey} <- ${credit.kind} ${credit.ownerKey} ${units} of ${credit.assetId}`,
  )

describe('ledger.written', () => {
  it('keeps a seen deposit apart from final money', () => {
    expect(described('deposit.seen')).toEqual([
      'chain:unconfirmed blockchain:4 <- project:unconfirmed project:3 12500000 of 8',
    ])
  })

  it('moves final money to its address and gives it to the project', () => {
    expect(described('deposit.apply')).toEqual([
      'project:unconfirmed project:3 <- chain:unconfirmed blockchain:4 12500000 of 8',
      'chain:deposit-addresses address:77 <- project:balance project:3 12500000 of 8',
    ])
  })

  it.each([
    ['deposit.unapplied', 'customer:unapplied'],
    ['deposit.ignored', 'project:dust'],
    ['deposit.quarantine', 'project:quarantine'],
  ] as const)('books %s as %s', (posting, claim) => {
    expect(described(posting)[1]).toBe(`chain:deposit-addresses address:77 <- ${claim} project:3 12500000 of 8`)
  })

  it('names the round in the source key from the second on', () => {
    expect(buildEntry({ posting: 'deposit.apply', deposit }).sourceKey).toBe('deposit:812:apply')
    expect(buildEntry({ posting: 'deposit.apply', deposit: { ...deposit, round: 2 } }).sourceKey).toBe(
      'deposit:812:apply:2',
    )
  })

  it('raises asset side and claim side by the same units, whatever the posting', () => {
    fc.assert(
      fc.property(fc.constantFrom(...POSTINGS), fc.bigInt({ min: 1n, max: 2n ** 256n - 1n }), (posting, units) => {
        const sides = { D: 0n, C: 0n }
        for (const line of buildEntry({ posting, deposit: { ...deposit, units } }).lines) {
          sides[ACCOUNTS[line.debit.kind].side] += ACCOUNTS[line.debit.kind].side === 'D' ? line.units : -line.units
          sides[ACCOUNTS[line.credit.kind].side] += ACCOUNTS[line.credit.kind].side === 'C' ? line.units : -line.units
        }
        expect(sides.D).toBe(sides.C)
      }),
    )
  })
})

describe('ledger.mirrored', () => {
  const stored = { ...buildEntry({ posting: 'deposit.apply', deposit }), id: 5n, at: new Date() }

  it('turns every line round, at the height of the original', () => {
    const mirror = reversalOf(stored, mirrorKey(stored.sourceKey))
    expect(mirror).toMatchObject({ posting: 'deposit.reverse', reverses: 5n, height: 1_000 })
    expect(mirror.lines.map(({ debit, credit }) => [debit.kind, credit.kind])).toEqual([
      ['chain:unconfirmed', 'project:unconfirmed'],
      ['project:balance', 'chain:deposit-addresses'],
    ])
  })

  it('keeps the round in the key', () => {
    expect(mirrorKey('deposit:7:apply')).toBe('deposit:7:reverse-apply')
    expect(mirrorKey('deposit:7:apply:2')).toBe('deposit:7:reverse-apply:2')
  })
})
