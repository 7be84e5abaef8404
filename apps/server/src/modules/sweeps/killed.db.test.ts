import { sql } from 'kysely'
import { type Hex, numberToHex, parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { ApiError } from '@kassa/contract/kit/api-error.ts'
import { adapterOf } from '@kassa/chains/adapters.ts'

import type { Context } from '../../context.ts'
import { killAtEachStep } from '../../testing/crashes/kill-at-each-step.ts'
import { openSweepShop, type OpenSweepShop, type Payee, type SweepShop } from '../../testing/money-out/sweeps.ts'
import { testReader } from '../../testing/test-follower.ts'
import { getAsset } from '../blockchains/chains/service.ts'
import { sweepDue } from './automatic/service.ts'
import { followOwnWallets } from './following/service.ts'
import { signPlanned } from './signing/service.ts'
import { initiatePrepared, prepareSweep, startPlan } from './starting/service.ts'

const UNITS = 500_000_000n
const OPERATOR: Hex = '0x00000000000000000000000000000000000000e1'

let opened: OpenSweepShop
let shop: SweepShop
let payee: Payee
let heldBefore = 0n

beforeAll(async () => {
  opened = await openSweepShop()
  ;({ shop } = opened)
  await opened.anvil.call('anvil_setBalance', OPERATOR, numberToHex(parseEther('10')))
}, 120_000)
afterAll(() => opened.stop())

async function pay(): Promise<void> {
  ;[payee] = (await shop.paid(UNITS)) as [Payee]
  heldBefore = await shop.usdcOf(shop.collector)
}

/** Signs, sends, reads blocks and settles, as the processes of an install do. */
async function carryOut(ctx: Context): Promise<void> {
  await signPlanned(ctx)
  const reader = await testReader(ctx, 'ETH')
  for (let round = 0; round < 2; round += 1) {
    await shop.follow(ctx)
    await opened.anvil.mine(2)
    await reader.catchUp()
    await followOwnWallets(ctx)
  }
  await shop.follow(ctx)
}

/** One sweep moved it all, in one transaction, and the ledger holds what the chain does. */
async function expectMovedOnce(sends: 0 | 1): Promise<void> {
  await shop.reader.lead()
  expect((await shop.usdcOf(shop.collector)) - heldBefore).toBe(UNITS)
  expect(await shop.usdcOf(payee.address)).toBe(0n)
  const { rows } = await sql<{ status: string; units: string; sends: number; attempts: number; transactions: number }>`
    SELECT sweep.status, item.units, (SELECT count(*)::int FROM send_items WHERE sweep_id = sweep.id) AS sends,
      (SELECT count(*)::int FROM send_attempts WHERE send_id = sweep.send_id) AS attempts,
      (SELECT count(DISTINCT tx_id)::int FROM movements WHERE from_address_id = item.address_id) AS transactions
    FROM sweep_items AS item JOIN sweeps AS sweep ON sweep.id = item.sweep_id
    WHERE item.address_id = ${payee.id}`.execute(shop.ctx.db)
  expect(rows).toEqual([{ status: 'completed', units: String(UNITS), sends, attempts: sends, transactions: 1 }])
  expect(await shop.transit()).toBe(0n)
  expect(await shop.unsound()).toEqual([])
}

describe('sweeps move what they hold once, wherever the process dies', () => {
  it(
    'between the plan that is made because enough has come together, and the end',
    { timeout: 3_600_000 },
    async () => {
      const work = async (ctx: Context) => {
        await sweepDue(ctx)
        await carryOut(ctx)
      }
      const awaits = await killAtEachStep({
        ctx: shop.ctx,
        prepare: pay,
        work,
        resume: async (wasKilled) => {
          if (wasKilled) await work(shop.ctx)
          await expectMovedOnce(1)
        },
        stride: 6,
        runs: 200,
      })
      expect(awaits).toBeGreaterThan(10)
    },
  )

  it('between the start by a person and the end', { timeout: 3_600_000 }, async () => {
    let planId = ''
    const work = async (ctx: Context) => {
      await startPlan(ctx, planId, new Map()).catch(ignoreTaken)
      await carryOut(ctx)
    }
    await killAtEachStep({
      ctx: shop.ctx,
      prepare: async () => {
        await pay()
        planId = (await shop.plan()).body.planID
      },
      work,
      resume: async (wasKilled) => {
        if (wasKilled) await work(shop.ctx)
        await expectMovedOnce(1)
      },
      stride: 13,
    })
  })

  it('while the wallet of an operator sends it', { timeout: 3_600_000 }, async () => {
    const { vaults } = adapterOf('ETH_Family') ?? {}
    /** The wallet of the operator sends what was handed out, once. */
    let isSent = false
    const work = async (ctx: Context) => {
      const asset = await getAsset(ctx, shop.assets.USDC)
      const wanted = { asset, addressIds: [Number(payee.id)], contractAddressId: null }
      const prepared = await prepareSweep(ctx, wanted).catch(ignoreTaken)
      if (prepared) await initiatePrepared(ctx, asset, prepared, { execute: false }).catch(ignoreTaken)
      const made = vaults?.call(shop.vault, {
        ...{ kind: 'sweepToken', token: asset.address },
        items: [{ id: BigInt(payee.salt), units: UNITS }],
      })
      if (!isSent) await opened.anvil.send({ from: OPERATOR, to: shop.vault, data: made?.data as Hex, gas: 3_000_000n })
      isSent = true
      await carryOut(ctx)
    }
    await killAtEachStep({
      ctx: shop.ctx,
      prepare: async () => {
        await pay()
        isSent = false
      },
      work,
      resume: async (wasKilled) => {
        if (wasKilled) await work(shop.ctx)
        await expectMovedOnce(0)
      },
      stride: 7,
    })
  })
})

/** Somebody else has done it: the process before this one. */
function ignoreTaken(error: unknown): void {
  if (!(error instanceof ApiError)) throw error
}
