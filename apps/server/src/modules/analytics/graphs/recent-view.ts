import type { GraphData } from '@kassa/contract/analytics/schemas.ts'
import { DEPOSIT_STATE_LABELS } from '@kassa/contract/analytics/groups.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'
import { usdOf } from '@kassa/primitives/money/usd.ts'

import type { Context } from '../../../context.ts'
import { listAssets, listBlockchains } from '../../blockchains/chains/service.ts'
import { dollarText } from './amount-rules.ts'
import type { RecentDeposit } from './store.ts'

type Rows = Extract<GraphData, { type: 'table_graph' }>['data']

/** The columns of Recent Transactions (api.md 8.5). */
export const RECENT_COLUMNS: Extract<GraphData, { type: 'table_graph' }>['attributes'] = [
  { cell_type: 'profile', column_name: '' },
  { cell_type: 'date', column_name: 'Deposit Date' },
  { cell_type: 'text', column_name: 'Customer' },
  { cell_type: 'icon_text', column_name: 'Currency' },
  { cell_type: 'text', column_name: 'Amount' },
  { cell_type: 'href', column_name: 'To Address' },
  { cell_type: 'href', column_name: 'Transaction' },
  { cell_type: 'text', column_name: 'Status' },
]

/** Deposits as rows of cells. */
export async function recentRows(ctx: Context, deposits: readonly RecentDeposit[], backend: string): Promise<Rows> {
  const assets = new Map((await listAssets(ctx)).map((asset) => [asset.id, asset]))
  const chains = new Map((await listBlockchains(ctx)).map((chain) => [chain.definition.code as string, chain]))
  return deposits.flatMap((deposit) => {
    const asset = assets.get(deposit.asset_id)
    const chain = chains.get(asset?.blockchainCode ?? '')
    if (!asset || !chain) return []
    const network = chain.definition.networks[ctx.config.network]
    // The sandbox's explorer is a page of our own.
    const link = (template: string, mark: string, text: string) => ({
      href: `${template.startsWith('/') ? backend : ''}${template.replace(mark, text)}`,
      text,
      ellipsis: true,
    })
    const name = deposit.name || deposit.email || deposit.customer_id
    return [
      [
        { image: '', tooltip: name, referenceID: deposit.reference_id, externalPlatformID: deposit.project_id },
        { value: deposit.block_time },
        { name, description: deposit.customer_id },
        { icon: `${backend}/images/icons/${asset.currencyCode}.png`, text: asset.currencyCode, subtext: chain.name },
        {
          text: `${formatUnits(BigInt(deposit.units), asset.decimals)} ${asset.currencyCode}`,
          subtext: deposit.usd === null ? '' : dollarText(usdOf(deposit.usd)),
        },
        link(chain.explorerAddress ?? network.explorerAddress, '{address}', deposit.to_address),
        link(chain.explorerTransaction ?? network.explorerTransaction, '{tx}', deposit.tx_id),
        { text: DEPOSIT_STATE_LABELS[deposit.status] ?? deposit.status },
      ],
    ]
  })
}
