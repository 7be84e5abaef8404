import { fail } from '@kassa/contract/kit/api-error.ts'
import type { Readiness } from '@kassa/contract/payments/readiness.ts'
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { findFamily } from '@kassa/primitives/chains/families.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'
import type { Context } from '../../../context.ts'
import { acceptedAssets } from '../../projects/service.ts'
import { type Asset, listBlockchains } from '../../blockchains/chains/service.ts'
import { nodesOf } from '../../blockchains/nodes/service.ts'
import { currentPrice } from '../../prices/service.ts'
import { siteUrl } from '../../settings/service.ts'
import { listProjectWallets } from '../../wallets/service.ts'
import { type ChainFacts, type Judgement, judgeReadiness, leastCents, type LeastFacts } from './rules.ts'

const CENT_DECIMALS = 2

/** Whether a project can take payments, what is missing, how its networks do, and the least that can be paid. */
export async function checkReadiness(ctx: Context, projectId: number): Promise<Readiness> {
  const accepted = await acceptedAssets(ctx, projectId)
  const linkedFamilies = await familiesOf(ctx, projectId)
  const methods: LeastFacts[] = []
  for (const asset of accepted.filter(({ blockchainCode }) => linkedFamilies.has(familyOn(blockchainCode)))) {
    methods.push({ ...asset, price: (await currentPrice(ctx, asset))?.price ?? null })
  }
  const least = leastCents(methods)
  return {
    ...(await judge(ctx, accepted, linkedFamilies)),
    leastAmountInUSD: least === null ? null : formatUnits(least, CENT_DECIMALS),
  }
}

async function judge(
  ctx: Context,
  accepted: readonly Asset[],
  linkedFamilies: ReadonlySet<string>,
): Promise<Judgement> {
  return judgeReadiness({
    hasSiteUrl: (await siteUrl(ctx)) !== null,
    chains: await chainFacts(ctx),
    acceptedChains: new Set(accepted.map(({ blockchainCode }) => blockchainCode)),
    linkedFamilies,
  })
}

/** The families of networks for which the project has a deposit wallet. */
async function familiesOf(ctx: Context, projectId: number): Promise<ReadonlySet<string>> {
  const wallets = await listProjectWallets(ctx, projectId)
  return new Set(wallets.flatMap(({ familyId }) => findFamily(familyId)?.family ?? []))
}

function familyOn(blockchainCode: string): string {
  return findBlockchain(blockchainCode)?.family ?? ''
}

/** Refuses when a project cannot take payments, with the list of what is missing. @throws PROJECT_NOT_READY */
export async function requireReadiness(ctx: Context, projectId: number): Promise<void> {
  const { ready, missing } = await judge(ctx, await acceptedAssets(ctx, projectId), await familiesOf(ctx, projectId))
  if (ready) return
  const reasons = missing.map(({ text }) => text.replace(/\.$/, '')).join('; ')
  fail('PROJECT_NOT_READY', { values: { reasons }, details: `${reasons}.`, data: { missing } })
}

/** Every network with what its payments depend on, by id. */
export async function chainFacts(ctx: Context): Promise<ChainFacts[]> {
  const nodes = await nodesOf(ctx)
  return (await listBlockchains(ctx)).map(({ id, code, status, reason, cursor, definition }) => ({
    code,
    name: definition.name,
    family: definition.family,
    isActive: status === 'active',
    hasNode: nodes.some((node) => node.blockchainId === id && node.isActive),
    blockSeconds: definition.blockSeconds,
    reason,
    lagBlocks: cursor && Math.max(0, cursor.headHeight - cursor.height),
  }))
}
