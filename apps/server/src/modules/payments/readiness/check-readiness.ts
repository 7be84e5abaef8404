import { fail } from '@kassa/contract/kit/api-error.ts'
import type { Readiness } from '@kassa/contract/payments/readiness.ts'
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { findFamily } from '@kassa/primitives/chains/families.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'
import type { Context } from '../../../context.ts'
import { versioned } from '../../../db/versioned.ts'
import { acceptedAssets } from '../../projects/service.ts'
import { type Asset, listBlockchains } from '../../blockchains/chains/service.ts'
import { networkSwitches, nodesOf } from '../../blockchains/nodes/service.ts'
import { currentPrice } from '../../prices/service.ts'
import { siteUrl } from '../../settings/service.ts'
import { familiesWithoutAddresses, listProjectWallets } from '../../wallets/service.ts'
import {
  type ChainFacts,
  judgeReadiness,
  leastCents,
  type LeastFacts,
  missingFor,
  type NetworkFacts,
  type ReadinessFacts,
} from './rules.ts'

const CENT_DECIMALS = 2

/** Whether a project can take payments, what is missing, how its networks do, and the least that can be paid. */
export async function checkReadiness(ctx: Context, projectId: number): Promise<Readiness> {
  const accepted = await acceptedAssets(ctx, projectId)
  const wallets = await listProjectWallets(ctx, projectId)
  const linkedFamilies = namesOf(wallets.map(({ familyId }) => familyId))
  const usedUpFamilies = namesOf(await familiesWithoutAddresses(ctx, wallets))
  const methods: LeastFacts[] = []
  for (const asset of accepted.filter(({ blockchainCode }) => linkedFamilies.has(familyOn(blockchainCode)))) {
    methods.push({ ...asset, price: (await currentPrice(ctx, asset))?.price ?? null })
  }
  const least = leastCents(methods)
  return {
    ...judgeReadiness({
      ...(await factsFor(ctx, accepted, { linkedFamilies, chains: await chainFacts(ctx) })),
      usedUpFamilies,
    }),
    leastAmountInUSD: least === null ? null : formatUnits(least, CENT_DECIMALS),
  }
}

async function factsFor<Network extends NetworkFacts>(
  ctx: Context,
  accepted: readonly Asset[],
  { linkedFamilies, chains }: Pick<ReadinessFacts<Network>, 'linkedFamilies' | 'chains'>,
): Promise<ReadinessFacts<Network>> {
  const acceptedChains = new Set(accepted.map(({ blockchainCode }) => blockchainCode))
  return { hasSiteUrl: (await siteUrl(ctx)) !== null, chains, acceptedChains, linkedFamilies }
}

/** The families of networks for which the project has a deposit wallet. */
async function familiesOf(ctx: Context, projectId: number): Promise<ReadonlySet<string>> {
  return namesOf((await listProjectWallets(ctx, projectId)).map(({ familyId }) => familyId))
}

function namesOf(familyIds: Iterable<number>): ReadonlySet<string> {
  return new Set([...familyIds].flatMap((id) => findFamily(id)?.family ?? []))
}

function familyOn(blockchainCode: string): string {
  return findBlockchain(blockchainCode)?.family ?? ''
}

/**
 * Refuses when a project cannot take payments, with the list of what is missing. How its networks do makes no difference, so
 * nothing but configuration is asked for. @throws PROJECT_NOT_READY
 */
export async function requireReadiness(ctx: Context, projectId: number): Promise<void> {
  const missing = await missingOf(ctx, projectId)
  if (missing.length === 0) return
  const reasons = missing.map(({ text }) => text.replace(/\.$/, '')).join('; ')
  fail('PROJECT_NOT_READY', { values: { reasons }, details: `${reasons}.`, data: { missing } })
}

const missingOf = versioned(async (ctx: Context, projectId: number) => {
  const linkedFamilies = await familiesOf(ctx, projectId)
  const chains = await networkFacts(ctx)
  return missingFor(await factsFor(ctx, await acceptedAssets(ctx, projectId), { linkedFamilies, chains }))
})

async function networkFacts(ctx: Context): Promise<NetworkFacts[]> {
  return (await networkSwitches(ctx)).flatMap(({ id, isActive, hasNode }) => {
    const definition = findBlockchain(id)
    return definition
      ? [{ code: definition.code, name: definition.name, family: definition.family, isActive, hasNode }]
      : []
  })
}

/** Every network with what its payments depend on, by id. */
export async function chainFacts(ctx: Context): Promise<ChainFacts[]> {
  const nodes = await nodesOf(ctx)
  return (await listBlockchains(ctx)).map(({ id, code, status, stopped, cursor, definition }) => ({
    code,
    name: definition.name,
    family: definition.family,
    isActive: status === 'active',
    hasNode: nodes.some((node) => node.blockchainId === id && node.isActive),
    blockSeconds: definition.blockSeconds,
    stopped,
    lagBlocks: cursor && Math.max(0, cursor.headHeight - cursor.height),
  }))
}
