/** Payouts that a shop's server asks for, blindly again, while everything around it breaks. */
import { payoutPolicyRoutes } from '@kassa/contract/payout-policy/routes.ts'
import { sandboxRoutes } from '@kassa/contract/sandbox/routes.ts'
import { hotWalletsRoutes } from '@kassa/contract/wallets/hot-routes.ts'
import { payoutsRoutes } from '@kassa/contract/withdrawals/routes.ts'
import { checksumAddress } from '@kassa/keys/address-text.ts'
import { randomBytes } from 'node:crypto'
import { parseUnits } from '@kassa/primitives/money/units.ts'
import { expect } from 'vitest'

import { callNode } from '../../apps/server/src/sandbox/node-call.ts'
import { apiOf } from '../api.ts'
import { until } from '../until.ts'
import type { Random } from './random.ts'
import type { ChaosShop } from './shop.ts'

/** USDC on BASE, as the sandbox has it. */
const COIN = { blockchainCode: 'BASE', currencyCode: 'USDC' } as const
const PAID_ASSET = 8
const DECIMALS = 6

const FLOAT = [
  { ...COIN, amount: '5000' },
  { blockchainCode: 'BASE', currencyCode: 'ETH', amount: '1' },
] as const

/** Until the float is booked, and until the last payout is final, on a busy machine. */
const BOOKED_MS = 180_000
const PAID_MS = 300_000

export type AskedPayout = { readonly id: number; readonly to: string; readonly units: bigint }

/** A hot wallet with enough in it, and a policy by which small payouts need no approval. `chainsUrl`: of the process that runs the chains. */
export async function openFloat({ operator, project, session }: ChaosShop, chainsUrl: string): Promise<void> {
  const { id: walletID } = await operator(hotWalletsRoutes.addHotWallet, {
    params: { f: 'ETH_Family' },
    body: { name: 'Payouts', generate: true, functions: ['payout'] },
  })
  await operator(payoutPolicyRoutes.changePayoutConfig, {
    params: { p: project },
    body: { autoApproveLimitInUSD: '100', hourlyLimitInUSD: '100000', dailyLimitInUSD: '100000' },
  })
  const faucet = apiOf(chainsUrl, session)
  for (const coin of FLOAT) await faucet(sandboxRoutes.fundWallet, { body: { walletID, ...coin } })
  await until(
    'the float to be booked',
    async () => {
      const held = await operator(payoutsRoutes.listPayoutBalances, { params: { p: project } })
      return held.filter(({ blockchainCode, available }) => blockchainCode === 'BASE' && Number(available) > 0).length
    },
    (booked) => booked === FLOAT.length,
    BOOKED_MS,
  )
}

/** Asks for payouts, each to an address of its own; some are asked for twice, as D1 lets clients do. */
export async function askForPayouts(
  { blindly }: Pick<ChaosShop, 'blindly'>,
  random: Random,
  count: number,
): Promise<AskedPayout[]> {
  const asked: AskedPayout[] = []
  for (let n = 0; n < count; n += 1) {
    const amount = `${1 + random.below(20)}.${random.below(90) + 10}`
    const toAddress = checksumAddress(randomBytes(20))
    const body = { ...COIN, email: 'payee@example.com', amount, toAddress }
    const first = await blindly(payoutsRoutes.createMerchantPayout, { body })
    const again = random.below(4) === 0 ? await blindly(payoutsRoutes.createMerchantPayout, { body }) : first
    expect(again.id).toBe(first.id)
    asked.push({ id: first.id, to: toAddress, units: parseUnits(amount, DECIMALS) })
  }
  return asked
}

/** Every payout is final, and its address holds exactly its amount: none lost, none paid twice. */
export async function expectPaidOnce(
  { operator, project }: ChaosShop,
  chain: { readonly url: string; readonly token: string },
  payouts: readonly AskedPayout[],
): Promise<void> {
  await until(
    'every payout to be final',
    async () => {
      const page = { limit: 200, status: ['pending-approval', 'pending', 'initiated', 'sent'] as const }
      const { data } = await operator(payoutsRoutes.listPayouts, {
        params: { p: project },
        query: { ...page, status: [...page.status] },
      })
      return data.map(({ id, status, waitReason }) => `${id} ${status} ${waitReason}`)
    },
    (open) => open.length === 0,
    PAID_MS,
  )
  const wrong: string[] = []
  for (const { id, to, units } of payouts) {
    const { status } = await operator(payoutsRoutes.getPayout, { params: { p: project, id: String(id) } })
    const data = `0x70a08231${to.slice(2).padStart(64, '0')}`
    const held = BigInt(await callNode<string>(chain.url, 'eth_call', { to: chain.token, data }, 'latest'))
    if (status !== 'processed' || held !== units)
      wrong.push(`payout ${id} is ${status}, and ${held} of ${units} arrived`)
  }
  expect(wrong).toEqual([])
}

/** What the project keeps of what its customers sent. */
export function lessPaid(
  sent: ReadonlyMap<number, bigint>,
  payouts: readonly AskedPayout[],
): ReadonlyMap<number, bigint> {
  const paid = payouts.reduce((sum, { units }) => sum + units, 0n)
  return new Map(sent).set(PAID_ASSET, (sent.get(PAID_ASSET) ?? 0n) - paid)
}
