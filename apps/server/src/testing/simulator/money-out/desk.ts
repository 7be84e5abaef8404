import { createHash } from 'node:crypto'

import { addressText } from '@kassa/chains/tron/addresses/addresses.ts'
import { ApiError } from '@kassa/contract/kit/api-error.ts'
import type { MerchantPayout } from '@kassa/contract/withdrawals/inputs.ts'
import { checksumAddress } from '@kassa/keys/address-text.ts'

import { sql } from 'kysely'

import type { Caller, Context } from '../../../context.ts'
import { approveList } from '../../../modules/withdrawals/approving/approve-list.ts'
import {
  approvePayout,
  cancelPayout,
  createPayout,
  rejectPayout,
  requestOfMerchant,
} from '../../../modules/withdrawals/payouts/service.ts'
import type { Process } from '../scheduler.ts'
import { withdraw } from './programme.ts'
import { contextOf, waitInTrouble, type World } from '../world.ts'

const PROJECTS = [1, 2] as const
const CHOICES = [
  { blockchainCode: 'ETH', currencyCode: 'ETH', amounts: ['0.001', '0.02', '0.5'] },
  { blockchainCode: 'ETH', currencyCode: 'USDC', amounts: ['1', '10.5', '250'] },
  { blockchainCode: 'ETH', currencyCode: 'USDT', amounts: ['2', '99.99'] },
  { blockchainCode: 'BASE', currencyCode: 'ETH', amounts: ['0.003', '0.01'] },
  { blockchainCode: 'BASE', currencyCode: 'USDC', amounts: ['5', '40'] },
  { blockchainCode: 'TRX', currencyCode: 'TRX', amounts: ['3', '45.5', '2000'] },
  { blockchainCode: 'TRX', currencyCode: 'TRX', amounts: ['0.000001', '150'] },
  { blockchainCode: 'TRX', currencyCode: 'USDT', amounts: ['1', '10.5', '250'] },
  { blockchainCode: 'TRX', currencyCode: 'USDT', amounts: ['2', '99.99'] },
] as const
/** What promoters are paid in. */
const WITHDRAWN = [
  { blockchainCode: 'ETH', currencyCode: 'USDC' },
  { blockchainCode: 'TRX', currencyCode: 'USDT' },
  { blockchainCode: 'TRX', currencyCode: 'TRX' },
] as const
type Code = (typeof CHOICES)[number]['blockchainCode']

function isHere({ chains }: World): (choice: { readonly blockchainCode: Code }) => boolean {
  return ({ blockchainCode }) => chains.some(({ code }) => code === blockchainCode)
}

/** How often a shop's server asks again for what it has asked for (D1). */
const BLIND_RETRY = 0.15
const REFUND_SHARE = 0.3
const WITHDRAWAL_SHARE = 0.4
const DECIDING_SHARE = 0.4
const CANCEL_SHARE = 0.4
/** How often several payouts are approved with one confirmation (decision 0073), and how many. */
const SEVERAL_SHARE = 0.5
const SEVERAL = [2, 5] as const

/** Whom the n-th payout of a world pays on a chain: nobody else is paid there. */
function payeeOf(seed: number, n: number, code: Code): string {
  const key = createHash('sha256').update(`payee ${seed} ${n}`).digest().subarray(0, 20)
  return code === 'TRX' ? addressText(key) : checksumAddress(key)
}

/** Shops that ask for payouts and refunds, and people who approve, reject and cancel them. */
export async function desk(world: World, process: Process): Promise<void> {
  const ctx = contextOf(world, process)
  while (!process.isDead) {
    await world.scheduler.sleep(waitInTrouble(world, [2_000, 40_000]), process.signal)
    if (world.phase === 'trouble') await actOnce(world, ctx).catch((error: unknown) => expectRefusal(world, error))
  }
}

type Asked = { readonly id: string; readonly project_id: number; readonly status: string }

async function actOnce(world: World, ctx: Context): Promise<void> {
  if (!world.random.chance(DECIDING_SHARE))
    return world.random.chance(WITHDRAWAL_SHARE) ? askForRewards(world, ctx) : ask(world, ctx)
  const { rows } = await sql<Asked>`
    SELECT id::text AS id, project_id, status FROM withdrawals
    WHERE status IN ('pending-approval', 'pending', 'sent') ORDER BY id`.execute(ctx.db)
  const row = world.random.any(rows)
  if (!row) return
  const { id, project_id: projectId, status } = row
  const asked = rows.filter((one) => one.status === 'pending-approval')
  if (status === 'pending-approval' && asked.length > 1 && world.random.chance(SEVERAL_SHARE)) {
    return approveSeveral(world, ctx, asked)
  }
  const person = { ...ctx, caller: operatorOf([projectId]) }
  const scope = { projectIds: [projectId] }
  if (status !== 'pending-approval') {
    if (world.random.chance(CANCEL_SHARE)) await cancelPayout(person, scope, id, 'no longer wanted')
  } else if (world.random.chance(0.9)) await approvePayout(person, scope, id, '')
  else await rejectPayout(person, scope, id, 'not this one')
}

/** Approves some payouts of all shops together: all of them or none. */
async function approveSeveral({ random }: World, ctx: Context, asked: readonly Asked[]): Promise<void> {
  const some = random.shuffled(asked).slice(0, random.between(...SEVERAL))
  const projectIds = [...new Set(some.map(({ project_id: projectId }) => projectId))]
  const ids = some.map(({ id }) => Number(id))
  await approveList({ ...ctx, caller: operatorOf(projectIds) }, { projectIds }, ids, '')
}

async function askForRewards(world: World, ctx: Context): Promise<void> {
  const { treasury, seed } = world
  if (!treasury) return
  treasury.asked += 1
  const coin = world.random.pick(WITHDRAWN.filter(isHere(world)))
  await withdraw(world, ctx, { ...coin, toAddress: payeeOf(seed, treasury.asked, coin.blockchainCode) })
}

async function ask(world: World, ctx: Context): Promise<void> {
  const { random, treasury } = world
  if (!treasury) return
  treasury.asked += 1
  const projectId = random.pick(PROJECTS)
  const { amounts, ...choice } = random.pick(CHOICES.filter(isHere(world)))
  const refunded = random.chance(REFUND_SHARE) ? await paidPayment(world, ctx, projectId) : undefined
  const input: MerchantPayout = {
    ...choice,
    email: 'payee@example.com',
    amount: random.pick(amounts),
    toAddress: payeeOf(world.seed, treasury.asked, choice.blockchainCode),
    clientReference: `order-${treasury.asked}`,
    ...(refunded !== undefined && {
      refundOfReferenceID: refunded,
      refundKind: random.pick(['full', 'custom', 'overpaid'] as const),
    }),
  }
  const key: Context = { ...ctx, caller: { kind: 'key', keyId: 1, projectId, knownTo: 1, scopes: new Set() } }
  const once = async () => createPayout(key, await requestOfMerchant(key, projectId, input))
  const first = await once().catch((error: unknown) => error)
  // A client that had no answer, or does not believe it, asks the same again.
  if (random.chance(BLIND_RETRY) || (first instanceof Error && !(first instanceof ApiError))) await once()
  else if (first instanceof Error) throw first
}

/** A payment of a shop that has money which is final. */
async function paidPayment({ random }: World, ctx: Context, projectId: number): Promise<string | undefined> {
  const { rows } = await sql<{ reference_id: string }>`
    SELECT reference_id FROM payments WHERE project_id = ${projectId} AND filled_units > 0 ORDER BY id`.execute(ctx.db)
  return random.any(rows)?.reference_id
}

const PERMISSIONS = ['payout:approve', 'payout:create', 'referral_payout:approve'] as const

function operatorOf(projectIds: readonly number[]): Caller {
  const none = new Set<never>()
  const projects = new Map(projectIds.map((id) => [id, new Set(PERMISSIONS)]))
  return {
    ...{ kind: 'operator', operatorId: 1, sessionId: 1, email: 'owner@shop.example', restricted: false },
    ...{ stepUpUntil: null, secondFactors: [], missingFactor: null },
    grants: { install: none, everywhere: none, projects },
  }
}

/** An API error is an answer; anything else comes from the database, or needs a look at the trace. */
function expectRefusal({ scheduler }: World, error: unknown): void {
  const why = error instanceof ApiError ? error.code : error instanceof Error ? error.message : String(error)
  scheduler.note(`the desk was refused: ${why}`)
}
