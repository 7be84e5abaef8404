import { maskUrl } from '@kassa/chains/node/mask.ts'
import type {
  Asset as AssetView,
  Blockchain as BlockchainView,
  BlockchainFacts,
  Currency as CurrencyView,
  Node,
  NodeHealth,
  PublicAsset,
} from '@kassa/contract/blockchains/schemas.ts'
import { INACTIVE_REASONS } from '@kassa/contract/blockchains/inactive-reasons.ts'
import { NETWORK_NOTICES, STOP_REASONS } from '@kassa/contract/blockchains/reading-reasons.ts'
import { NODE_REASONS } from '@kassa/contract/blockchains/node-reasons.ts'
import { readCause, withText } from '@kassa/contract/kit/reason.ts'
import type { NetworkMode } from '@kassa/primitives/chains/blockchain.ts'
import { CURRENCIES } from '@kassa/primitives/chains/currencies.ts'
import { findFamily } from '@kassa/primitives/chains/families.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'
import { decimalsOfLimit } from './assets/change-asset.ts'
import { operatorOf } from './nodes/choose-node-rules.ts'
import { type Asset, type AssetLimit, type BlockchainRow, USUAL_SWEEP } from './chains/rows.ts'
import type { NodeRow, StoredHealth } from './nodes/node.ts'

/** One blockchain without its nodes. */
export function blockchainView(row: BlockchainRow, client: string, mode: NetworkMode): AssetView['blockchain'] {
  const { definition, cursor } = row
  const network = definition.networks[mode]
  const { id: familyId, isSweepable } = familyOf(row)
  return {
    id: row.id,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    code: row.code,
    name: row.name,
    family: definition.family,
    client,
    height: cursor?.height ?? 0,
    heightTimestamp: cursor?.blockTime ?? null,
    explorerAddress: row.explorerAddress ?? network.explorerAddress,
    explorerTransaction: row.explorerTransaction ?? network.explorerTransaction,
    minConfirmations: row.minConfirmations,
    chainID: network.chainId ?? null,
    status: row.status,
    isSCW: isSweepable,
    blockchainFamilyID: familyId,
    isCreate2Supported: isSweepable,
    networkMode: mode,
    lagBlocks: cursor ? Math.max(0, cursor.headHeight - cursor.height) : null,
    reason: causeOf(row)?.text ?? null,
  }
}

/** One blockchain with its nodes, their secrets masked. */
export function blockchainWithNodesView(
  row: BlockchainRow,
  nodes: readonly NodeRow[],
  mode: NetworkMode,
): BlockchainView {
  const own = nodes.filter((node) => node.blockchainId === row.id)
  const { reason, ...fields } = blockchainView(row, clientOf(own), mode)
  const sourceCount = new Set(own.filter(({ isActive }) => isActive).map(({ url }) => operatorOf(url))).size
  const noticeCause = row.notice && withText(NETWORK_NOTICES, row.notice)
  const notice = noticeCause?.text ?? null
  return { ...fields, rpcNodes: own.map(nodeView), reason, cause: causeOf(row), notice, noticeCause, sourceCount }
}

/** Why it is inactive, or else why it is not read. */
function causeOf({ inactive, stopped }: BlockchainRow): BlockchainView['cause'] {
  return inactive ? withText(INACTIVE_REASONS, inactive) : stopped && withText(STOP_REASONS, stopped)
}

/** The client software the preferred node reports. */
export function clientOf(nodes: readonly NodeRow[]): string {
  return nodes.find((node) => node.isActive)?.client ?? ''
}

/** One node, without secrets. */
export function nodeView(node: NodeRow): Node {
  const url = maskUrl(node.url)
  return {
    id: node.id,
    createdAt: node.createdAt,
    updatedAt: node.updatedAt,
    blockchainId: node.blockchainId,
    url,
    nodeType: node.nodeType,
    client: node.client,
    isPreferred: node.isPreferred,
    isActive: node.isActive,
    maxDailyCalls: node.maxDailyCalls,
    priority: node.priority,
    chainIdentifier: node.chainIdentifier,
    apiKey: null,
    authUsername: null,
    authPassword: null,
    hasCredentials: node.secretId !== null || url.includes('•••'),
    health: node.health && healthView(node.health),
  }
}

function healthView({ lastBlockAt, checkedAt, cause: stored, ...health }: StoredHealth): NodeHealth {
  const cause = stored ? readCause(NODE_REASONS, stored.code, stored.params) : null
  return {
    ...health,
    cause: cause && withText(NODE_REASONS, cause),
    latencyMs: health.latencyMs === null ? null : Math.round(health.latencyMs),
    lastBlockTimestamp: lastBlockAt === null ? null : new Date(lastBlockAt),
    checkedAt: new Date(checkedAt),
  }
}

/** What never changes about a blockchain. */
export function factsView(
  { definition, name, explorerAddress, explorerTransaction }: BlockchainRow,
  mode: NetworkMode,
): BlockchainFacts {
  const network = definition.networks[mode]
  const family = familyOf({ definition })
  return {
    id: definition.id,
    code: definition.code,
    name,
    family: definition.family,
    chainID: network.chainId ?? null,
    explorerAddress: explorerAddress ?? network.explorerAddress,
    explorerTransaction: explorerTransaction ?? network.explorerTransaction,
    addressPattern: family.addressPattern,
    nativeCurrency: definition.nativeCurrency,
    sweepable: family.isSweepable,
  }
}

/** One asset with its currency and blockchain. */
export function assetView(asset: Asset, currency: CurrencyView, blockchain: AssetView['blockchain']): AssetView {
  return {
    id: asset.id,
    createdAt: asset.createdAt,
    updatedAt: asset.updatedAt,
    address: asset.address,
    standard: asset.standard,
    CurrencyCode: asset.currencyCode,
    BlockchainCode: asset.blockchainCode,
    currencyCode: asset.currencyCode,
    blockchainCode: asset.blockchainCode,
    ...limitViews(asset),
    minDepositAmount: formatUnits(asset.minDepositUnits, asset.decimals),
    visible: asset.visible,
    depositEnabled: asset.depositEnabled,
    withdrawalEnabled: asset.withdrawalEnabled,
    walletPrecision: asset.decimals,
    abi: '',
    sweepAddressLockedDurationInMinutes: asset.sweepLockMinutes ?? USUAL_SWEEP.lockMinutes,
    sweepBatchSize: asset.sweepBatchSize ?? USUAL_SWEEP.batchSize,
    sweepApprovalBatchSize: asset.sweepApprovalBatchSize ?? USUAL_SWEEP.approvalBatchSize,
    sweepMaxWaitTimeInMinutes: asset.sweepMaxWaitMinutes ?? USUAL_SWEEP.maxWaitMinutes,
    currencyID: asset.currencyId,
    blockchainID: asset.blockchainId,
    currency,
    blockchain,
  }
}

function limitViews(asset: Asset): Record<AssetLimit, string | null> {
  const entries = Object.entries(asset.limits).map(([name, units]) => [
    name,
    units === null ? null : formatUnits(units, decimalsOfLimit(asset, name as AssetLimit)),
  ])
  return Object.fromEntries(entries) as Record<AssetLimit, string | null>
}

/** Every currency of which this installation has an asset, by id. */
export function currencyViews(assets: readonly Asset[]): CurrencyView[] {
  return CURRENCIES.flatMap((currency) => {
    const own = assets.filter((asset) => asset.currencyId === currency.id)
    if (own.length === 0) return []
    const precision = Math.max(...own.map((asset) => asset.decimals))
    return [
      {
        id: currency.id,
        name: currency.name,
        code: currency.code,
        description: '',
        homepage: '',
        type: own.some((asset) => asset.standard === 'native') ? ('coin' as const) : ('token' as const),
        visible: own.some((asset) => asset.visible),
        depositEnabled: own.some((asset) => asset.depositEnabled),
        withdrawalEnabled: own.some((asset) => asset.withdrawalEnabled),
        walletPrecision: precision,
        basePrecision: precision,
        iconUrl: '',
        price: null,
      },
    ]
  })
}

/** An asset as anybody may see it. */
export function publicAssetView(asset: Asset, { definition }: BlockchainRow): PublicAsset {
  return {
    id: asset.id,
    blockchainCode: asset.blockchainCode,
    network: definition.name,
    currencyCode: asset.currencyCode,
    currency: CURRENCIES.find((currency) => currency.id === asset.currencyId)?.name ?? asset.currencyCode,
    tokenAddress: asset.address,
    standard: asset.standard,
    walletPrecision: asset.decimals,
    family: definition.family,
    blockchainID: asset.blockchainId,
    currencyID: asset.currencyId,
  }
}

function familyOf({ definition }: Pick<BlockchainRow, 'definition'>) {
  const family = findFamily(definition.family)
  if (!family) throw new Error(`${definition.code} names an unknown family`)
  return family
}
