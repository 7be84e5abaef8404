import { formatUnits } from '@kassa/primitives/money/units.ts'
import { PRICE_DECIMALS } from '@kassa/primitives/money/rate.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestContext, testContext } from '../../../testing/context.ts'
import { customerAddress } from '../../../testing/customer-address.ts'
import { getAsset, seedBlockchains } from '../../blockchains/chains/service.ts'
import { creditingContextOf } from './crediting-context.ts'

const NOW = new Date('2026-01-31T09:30:00.000Z')
const ETH = 1

let test: TestContext
beforeAll(async () => {
  test = await testContext({ now: () => NOW })
  await seedBlockchains(test.ctx)
  await sql`INSERT INTO price_history (currency_code, at, price) VALUES ('ETH', '2026-01-31T07:00:00Z', 1600)`.execute(
    test.ctx.db,
  )
})
afterAll(() => test.stop())

/** The price of ether at a time, on a network whose prices are real. */
async function valueAt(time: string, network: 'testnet' | 'sandbox' = 'testnet'): Promise<string | null> {
  const ctx = { ...test.ctx, config: { ...test.ctx.config, network } }
  const { projectId } = await customerAddress(ctx)
  const asset = await getAsset(ctx, ETH)
  const block = { height: 1, hash: '0x1', parentHash: '0x0', minedAt: new Date(time) }
  const around = await creditingContextOf(ctx, [{ projectId, asset, transfer: { block } }])
  const price = around.priceOf(asset, block)
  return price === null ? null : formatUnits(price, PRICE_DECIMALS)
}

describe('payments.creditingContextOf', () => {
  it('P-5: values what a block holds at the price of its own time', async () => {
    expect(await valueAt('2026-01-31T07:01:30Z')).toBe('1600')
  })

  it('uses no current price for a block from a time without a stored price', async () => {
    expect(await valueAt('2026-01-31T06:00:00Z')).toBeNull()
    expect(await valueAt('2026-01-31T09:29:00Z')).toBeNull()
  })

  it('uses the price table of the sandbox, which has no times', async () => {
    expect(await valueAt('2026-01-31T06:00:00Z', 'sandbox')).toBe('3000')
  })
})
