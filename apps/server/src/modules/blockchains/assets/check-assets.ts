import type { ChainSession, ContractReader } from '@kassa/chains/adapter.ts'
import type { ContractFact } from '@kassa/chains/contract-reader.ts'
import { adapterOf } from '@kassa/chains/adapters.ts'
import { type ContractChange, contractChangeText } from '@kassa/contract/alarms/catalogue.ts'
import { type Context, inTransaction } from '../../../context.ts'
import { raiseAlarm } from '../../alarms/service.ts'
import { assetName, type Asset, type BlockchainRow } from '../chains/rows.ts'
import { operatorOf } from '../nodes/choose-node-rules.ts'
import { connectTo } from '../nodes/connections.ts'
import { listNodes } from '../nodes/service.ts'
import { listAssetRows, listBlockchainRows, updateAsset } from '../chains/store.ts'

/**
 * Compares the contract of every enabled asset with the listed one. A difference switches the asset off and raises an
 * alarm; where a node of a second operator exists, both nodes must report the difference.
 * @throws Error when a blockchain could not be read, after all others were checked
 */
export async function checkAssets(ctx: Context): Promise<void> {
  const assets = (await listAssetRows(ctx)).filter(
    ({ depositEnabled, standard }) => depositEnabled && standard !== 'native',
  )
  const failures: unknown[] = []
  for (const row of await listBlockchainRows(ctx)) {
    const own = assets.filter(({ blockchainId }) => blockchainId === row.id)
    if (row.status !== 'active' || own.length === 0) continue
    await checkBlockchain(ctx, row, own).catch((error: unknown) => failures.push(error))
  }
  if (failures.length > 0) throw new AggregateError(failures, `Currencies could not be checked: ${failures.join('; ')}`)
}

async function checkBlockchain(ctx: Context, row: BlockchainRow, assets: readonly Asset[]): Promise<void> {
  const contracts = adapterOf(row.definition.family)?.contracts
  const session = contracts && (await connectTo(ctx, row, { use: 'audit' }))
  if (!session) return
  const differing = await findDiffering(contracts, session, assets)
  if (differing.length === 0) return
  const suspects = differing.map(({ asset }) => asset)
  const agreed = await confirm(ctx, { row, contracts, first: session }, suspects)
  for (const { asset, change } of differing) if (agreed.has(asset.id)) await switchOff(ctx, asset, change)
}

type Differing = { readonly asset: Asset; readonly change: ContractChange }

async function findDiffering(
  contracts: ContractReader,
  session: ChainSession,
  assets: readonly Asset[],
): Promise<Differing[]> {
  const ids = assets.map(({ id }) => id)
  const facts = await contracts.read(session, ids)
  return facts.flatMap((fact) => {
    const asset = assets.find(({ id }) => id === fact.assetId)
    const change = asset && differenceOf(asset, fact)
    return asset && change ? [{ asset, change }] : []
  })
}

function differenceOf({ address, decimals }: Asset, fact: ContractFact): ContractChange | null {
  if (!fact.hasCode) return { case: 'no_contract', address }
  if (fact.decimals === null) return { case: 'no_decimals', address }
  if (fact.decimals === decimals) return null
  return { case: 'other_decimals', address, decimals: fact.decimals, listed: decimals }
}

/**
 * The assets whose difference the node of a second operator confirms; all of them where there is no second operator.
 * @throws Error while that node is unreachable
 */
async function confirm(
  ctx: Context,
  { row, contracts, first }: { row: BlockchainRow; contracts: ContractReader; first: ChainSession },
  assets: readonly Asset[],
): Promise<ReadonlySet<number>> {
  const active = (await listNodes(ctx, row.id)).filter(({ isActive }) => isActive)
  const hasSecond = new Set(active.map(({ url }) => operatorOf(url))).size > 1
  if (!hasSecond) return new Set(assets.map(({ id }) => id))
  const second = await first.another()
  if (!second) throw new Error(`${row.code}: a contract seems to have changed, and no second node answers`)
  return new Set((await findDiffering(contracts, second, assets)).map(({ asset }) => asset.id))
}

async function switchOff(ctx: Context, asset: Asset, change: ContractChange): Promise<void> {
  const name = assetName(asset)
  await inTransaction(ctx, async (tx) => {
    await updateAsset(tx, asset.id, { deposit_enabled: false, disabled_because: contractChangeText(change) })
    const { currencyCode, blockchainCode } = asset
    const params = { case: 'switched_off', currencyCode, blockchainCode, change } as const
    await raiseAlarm(tx, { kind: 'asset_changed', subject: name, params })
    const payload = { blockchain_id: asset.blockchainId, code: asset.blockchainCode, currency: asset.currencyCode }
    await tx.events.emit(tx, { type: 'blockchain.changed', projectId: null, payload })
  })
}
