import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ACCOUNTS } from '../ledger/rules.ts'
import type { Entry } from '../ledger/service.ts'
import { finalEntry, movedEntry, type PostedDeposit, seenEntry } from './postings.ts'

const deposit: PostedDeposit = {
  id: 812n,
  revision: 1,
  blockchainId: 4,
  assetId: 8,
  addressId: 77n,
  projectId: 3,
  units: 12_500_000n,
  height: 1_000,
}
const STATES = ['applied', 'unapplied', 'ignored', 'quarantined'] as const

const described = ({ lines }: Entry) =>
  lines.map(
    ({ debit, credit, units }) =>
      `${debit.kind} ${debit.owner} <- ${credit.kind} ${credit.owner} ${units} of ${credit.unitId}`,
  )

describe('deposits.postings', () => {
  it('posts a seen deposit apart from final money, at its block', () => {
    const entry = seenEntry(deposit)
    expect(entry).toMatchObject({ posting: 'deposit.seen', projectId: 3, at: { blockchainId: 4, height: 1_000 } })
    expect(described(entry)).toEqual(['chain:unconfirmed blockchain:4 <- project:unconfirmed project:3 12500000 of 8'])
  })

  it('moves final money to its address and credits it to the project', () => {
    expect(described(finalEntry({ ...deposit, status: 'applied' }))).toEqual([
      'project:unconfirmed project:3 <- chain:unconfirmed blockchain:4 12500000 of 8',
      'chain:deposit-addresses address:77 <- project:balance project:3 12500000 of 8',
    ])
  })

  it.each([
    ['unapplied', 'deposit.unapplied', 'customer:unapplied'],
    ['ignored', 'deposit.ignored', 'project:dust'],
    ['quarantined', 'deposit.quarantine', 'project:quarantine'],
  ] as const)('posts a deposit that is %s as %s', (status, posting, claim) => {
    const entry = finalEntry({ ...deposit, status })
    expect(entry.posting).toBe(posting)
    expect(described(entry)[1]).toBe(`chain:deposit-addresses address:77 <- ${claim} project:3 12500000 of 8`)
  })

  it.each([
    ['assign', 'applied', 'customer:unapplied project:3 <- project:balance project:3'],
    ['unassign', 'unapplied', 'project:balance project:3 <- customer:unapplied project:3'],
    ['release', 'applied', 'project:quarantine project:3 <- project:balance project:3'],
    ['release', 'unapplied', 'project:quarantine project:3 <- customer:unapplied project:3'],
  ] as const)('moves the claim when an operator decides to %s it: %s', (move, to, line) => {
    const entry = movedEntry({ ...deposit, revision: 2 }, move, to)
    expect(entry).toMatchObject({ posting: `deposit.${move}`, source: `deposit:812:${move}:2` })
    expect(described(entry)).toEqual([`${line} 12500000 of 8`])
  })

  it('names the revision in the source from the second on', () => {
    expect(finalEntry({ ...deposit, status: 'applied' }).source).toBe('deposit:812:apply')
    expect(finalEntry({ ...deposit, status: 'applied', revision: 2 }).source).toBe('deposit:812:apply:2')
  })

  it('raises asset side and claim side by the same units, whatever the disposition', () => {
    const change = (side: 'D' | 'C', { lines }: Entry) =>
      lines.reduce((sum, { debit, credit, units }) => {
        const sign = side === 'D' ? 1n : -1n
        const debited = ACCOUNTS[debit.kind].side === side ? sign * units : 0n
        const credited = ACCOUNTS[credit.kind].side === side ? -sign * units : 0n
        return sum + debited + credited
      }, 0n)
    fc.assert(
      fc.property(fc.constantFrom(...STATES), fc.bigInt({ min: 1n, max: 2n ** 256n - 1n }), (status, units) => {
        for (const entry of [seenEntry({ ...deposit, units }), finalEntry({ ...deposit, units, status })]) {
          expect(change('D', entry)).toBe(change('C', entry))
        }
      }),
    )
  })
})
