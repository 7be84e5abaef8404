import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestContext, testContext } from '../../testing/context.ts'
import { customerAddress } from '../../testing/customer-address.ts'
import { seedBlockchains } from '../blockchains/chains/service.ts'
import type { PostedDeposit } from './rules.ts'
import { AlreadyPosted, Overdrawn } from './store.ts'
import { entriesOf, post, reverse, reverseAll } from './service.ts'

let test: TestContext
let deposit: PostedDeposit

beforeAll(async () => {
  test = await testContext()
  await seedBlockchains(test.ctx)
  const { id: addressId, projectId } = await customerAddress(test.ctx)
  deposit = { id: 0n, round: 1, blockchainId: 4, assetId: 8, addressId, projectId, units: 5n, height: 10 }
})
afterAll(() => test.stop())

let deposits = 100n
async function applied(): Promise<PostedDeposit> {
  const one = { ...deposit, id: (deposits += 1n) }
  await post(test.ctx, { posting: 'deposit.seen', deposit: one })
  await post(test.ctx, { posting: 'deposit.apply', deposit: one })
  return one
}
const keys = async (prefix: string) => (await entriesOf(test.ctx, [prefix])).map(({ sourceKey }) => sourceKey)

describe('ledger.post', () => {
  it('refuses an event that was recorded before', async () => {
    const one = await applied()
    await expect(post(test.ctx, { posting: 'deposit.apply', deposit: one })).rejects.toThrow(AlreadyPosted)
  })

  it('refuses to confirm money that was never seen', async () => {
    const never = { ...deposit, id: 7n, units: 1_000n }
    await expect(post(test.ctx, { posting: 'deposit.apply', deposit: never })).rejects.toThrow(Overdrawn)
    expect(await keys('deposit:7:')).toEqual([])
  })
})

describe('ledger.reverse', () => {
  it('mirrors one entry, once', async () => {
    const { id } = await applied()
    const again = { sourceKey: `deposit:${id}:apply`, newSourceKey: `deposit:${id}:reverse-apply` }
    const mirror = await reverse(test.ctx, again)
    const [, original, found] = await entriesOf(test.ctx, [`deposit:${id}:`])
    expect(found).toMatchObject({ id: mirror, reverses: original?.id, posting: 'deposit.reverse' })
    await expect(reverse(test.ctx, again)).rejects.toThrow(AlreadyPosted)
    await expect(reverse(test.ctx, { ...again, newSourceKey: `deposit:${id}:other` })).rejects.toThrow(
      'journal_entries_reversed_once',
    )
  })

  it('refuses an entry that does not exist', async () => {
    await expect(reverse(test.ctx, { sourceKey: 'deposit:9:seen', newSourceKey: 'x' })).rejects.toThrow('no entry')
  })
})

describe('ledger.reverseAll', () => {
  it('mirrors newest first, and does nothing the second time', async () => {
    const { id } = await applied()
    const prefix = `deposit:${id}:`
    await reverseAll(test.ctx, [prefix])
    await reverseAll(test.ctx, [prefix])
    expect(await keys(prefix)).toEqual(
      ['seen', 'apply', 'reverse-apply', 'reverse-seen'].map((event) => prefix + event),
    )
  })

  it('touches no other deposit whose id begins alike', async () => {
    const { id } = await applied()
    const longer = { ...deposit, id: id * 10n }
    await post(test.ctx, { posting: 'deposit.seen', deposit: longer })
    await reverseAll(test.ctx, [`deposit:${id}:`])
    expect(await keys(`deposit:${longer.id}:`)).toEqual([`deposit:${longer.id}:seen`])
  })
})
