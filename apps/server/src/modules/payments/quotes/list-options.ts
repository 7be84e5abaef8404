import type { PaymentOption } from '@kassa/contract/payments/schemas.ts'
import { confirmationsIn, findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { findCurrency } from '@kassa/primitives/chains/currencies.ts'
import { findFamily } from '@kassa/primitives/chains/families.ts'
import { dueUnits } from '@kassa/primitives/money/rate.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'
import type { Context } from '../../../context.ts'
import { acceptedAssets, getProject } from '../../projects/service.ts'
import type { Asset } from '../../blockchains/chains/service.ts'
import { currentPrice, type PriceFacts } from '../../prices/service.ts'
import { addressesOfCustomer, listProjectWallets, familiesWithoutAddresses } from '../../wallets/service.ts'
import { chainFacts } from '../readiness/check-readiness.ts'
import type { Payment } from '../payment/payment.ts'
import { orderOptions, type RankedOption, typicalSeconds } from './option-rules.ts'
import { findMostUsedAsset } from './store.ts'
import { type ChainFacts, watchReasons } from '../readiness/rules.ts'

type OptionFacts = {
  readonly chain: ChainFacts | undefined
  readonly price: PriceFacts | null
  /** The customer's address of the family; empty until it has one. */
  readonly address: string
  readonly isRecommended: boolean
  readonly isMostUsed: boolean
  readonly terms: Pick<PaymentOption, 'typicalFee' | 'typicalSeconds'>
}

/** The currencies and networks a payment can be paid with, in the order they are offered; an unavailable one has its reason. */
export async function listOptions(ctx: Context, payment: Payment): Promise<PaymentOption[]> {
  const projectId = payment.project.id
  const addresses = new Map(
    (await addressesOfCustomer(ctx, payment.customer.id)).map((row) => [row.familyId, row.address]),
  )
  const wallets = await listProjectWallets(ctx, projectId)
  const without = await familiesWithoutAddresses(ctx, wallets)
  const linked = new Set(wallets.map(({ familyId }) => familyId).filter((familyId) => !without.has(familyId)))
  const chains = new Map((await chainFacts(ctx)).map((chain) => [chain.code, chain]))
  const recommended = (await getProject(ctx, projectId)).default_asset_id
  const mostUsed = await findMostUsedAsset(ctx, projectId)
  const options: RankedOption[] = []
  for (const asset of await acceptedAssets(ctx, projectId)) {
    const familyId = familyOf(asset)?.id ?? 0
    if (!linked.has(familyId) && !addresses.has(familyId)) continue
    const facts = {
      chain: chains.get(asset.blockchainCode),
      price: await currentPrice(ctx, asset),
      address: addresses.get(familyId) ?? '',
      isRecommended: asset.id === recommended,
      isMostUsed: asset.id === mostUsed,
      terms: termsOf(ctx, asset, payment),
    }
    options.push({ option: optionView(asset, payment, facts), isStable: asset.isStable })
  }
  return orderOptions(options)
}

function optionView(asset: Asset, payment: Payment, facts: OptionFacts): PaymentOption {
  const against = obstacleTo(asset, payment, facts)
  return {
    id: asset.id,
    blockchainCode: asset.blockchainCode,
    network: findBlockchain(asset.blockchainCode)?.name ?? asset.blockchainCode,
    currencyCode: asset.currencyCode,
    currency: findCurrency(asset.currencyCode)?.name ?? asset.currencyCode,
    customerAddress: facts.address,
    tokenAddress: asset.address,
    standard: asset.standard,
    walletPrecision: asset.decimals,
    family: familyOf(asset)?.family ?? '',
    recommended: facts.isRecommended,
    mostUsed: facts.isMostUsed,
    blockchainID: asset.blockchainId,
    currencyID: asset.currencyId,
    ready: against === null,
    reason: against && against.reason,
    obstacle: against && against.obstacle,
    minDepositAmount: formatUnits(asset.minDepositUnits, asset.decimals),
    ...facts.terms,
  }
}

/** What sending an asset costs and how long it takes as a rule, by the facts of its chain. */
function termsOf(ctx: Context, asset: Asset, { amountUsd: usd }: Payment): OptionFacts['terms'] {
  const chain = findBlockchain(asset.blockchainCode)
  if (chain === undefined) return { typicalFee: null, typicalSeconds: null }
  const rule = confirmationsIn(ctx.config.network, chain)
  return {
    typicalFee: chain.typicalFee[asset.standard === 'native' ? 'native' : 'token'],
    typicalSeconds: typicalSeconds(chain, rule, { usd, minConfirmations: asset.minConfirmations }),
  }
}

type Against = { readonly obstacle: NonNullable<PaymentOption['obstacle']>; readonly reason: string }

/** Why a payment cannot be made with an asset now, or null when it can. */
function obstacleTo(asset: Asset, { amountUsd }: Payment, { chain, price }: OptionFacts): Against | null {
  // The exact reason may name a node, which only operators may see.
  if (chain && watchReasons(chain).length > 0) {
    const reason = `Payments on ${chain.name} are not noticed right now. Choose another network, or wait a little.`
    return { obstacle: 'network', reason }
  }
  if (!price) return { obstacle: 'price', reason: 'There is no trustworthy price right now.' }
  const units = dueUnits({ usd: amountUsd, price: price.price, decimals: asset.decimals })
  if (units >= asset.minDepositUnits) return null
  const least = `${formatUnits(asset.minDepositUnits, asset.decimals)} ${asset.currencyCode}`
  return { obstacle: 'minimum', reason: `At least ${least} on this network.` }
}

function familyOf(asset: Asset) {
  return findFamily(findBlockchain(asset.blockchainCode)?.family ?? '')
}
