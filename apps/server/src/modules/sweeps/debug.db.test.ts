import { openAnvilChain } from '@kassa/chains/testing/anvil-chain.ts'
import { expect, it } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { sweepShop } from '../../testing/sweeps.ts'
import { planQuestion, planView } from './lists/plan-view.ts'
import { storePlan, startPlan } from './starting/service.ts'
import { signSweep } from './signing/sign-sweep.ts'
import { listBalances, sweepDetail, sweepMetrics, listSweeps } from './lists/service.ts'

it('debug', { timeout: 100000 }, async () => {
  const [app, anvil] = await Promise.all([testApp(), openAnvilChain()])
  const step = async <T,>(name: string, run: () => Promise<T>): Promise<T | undefined> => {
    try {
      const value = await run()
      console.log(name, JSON.stringify(value, (_k, v) => (typeof v === 'bigint' ? String(v) : v))?.slice(0, 1500))
      return value
    } catch (error) {
      console.log(name, 'FAILED', error)
      return undefined
    }
  }
  const key = await app.signUp()
  const shop = await sweepShop(app, anvil, key)
  const payees = [await shop.payee(), await shop.payee()]
  for (const payee of payees) await shop.pay(payee, 400_000_000n)
  await shop.settle()
  const ctx = shop.ctx
  const planned = await step('plan', () => planQuestion(ctx, 'every', { blockchainCode: 'ETH', currencyCode: 'USDC' }))
  await step('balances', () => listBalances(ctx, 'every', {}))
  await step('metrics', () => sweepMetrics(ctx, 'every'))
  if (planned) {
    const stored = await step('store', () => storePlan(ctx, planned.asset, planned.plan))
    if (stored) {
      await step('view', () => planView(ctx, planned, stored))
      const sweeps = await step('start', () => startPlan({ ...ctx, change: () => undefined } as never, stored.planId))
      await step('balances', () => listBalances(ctx, 'every', {}))
      for (const { id } of sweeps ?? []) await step('sign', () => signSweep(ctx, id))
      await step('run', () => shop.run())
      await step('list', () => listSweeps(ctx, 'every', {} as never))
      for (const { id } of sweeps ?? []) await step('detail', () => sweepDetail(ctx, 'every', Number(id)))
      await step('broken', () => shop.broken())
      await step('balances', () => listBalances(ctx, 'every', {}))
    }
  }
  await app.stop()
  await anvil.stop()
  expect(1).toBe(1)
})
