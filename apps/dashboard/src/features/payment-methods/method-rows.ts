import type { Asset } from '@kassa/contract/blockchains/schemas.ts'
import { t } from '@lingui/core/macro'

import type { PaymentMethod } from '../../api/payment-methods.ts'
import { networkName } from '../../labels/networks/network-name.ts'

/** One currency on one network, with what each project makes of it. */
export type MethodRow = {
  readonly id: number
  readonly currency: string
  readonly network: string
  /** What the install says of it; absent while that is not known. */
  readonly asset: Asset | undefined
  readonly byProject: ReadonlyMap<number, PaymentMethod>
  /** As any project sees it: what is said of its network is the same for all. */
  readonly anyMethod: PaymentMethod | undefined
}

/** Returns the rows of the table in the order of the catalogue; methods that cannot be used now come last. */
export function methodRows(
  lists: ReadonlyMap<number, readonly PaymentMethod[]>,
  assets: readonly Asset[] = [],
): MethodRow[] {
  const known = new Map(assets.map((asset) => [asset.id, asset]))
  const [first = []] = lists.values()
  const payable = first.filter(({ fixedAt }) => fixedAt !== 'network')
  const rest = first.filter(({ fixedAt }) => fixedAt === 'network')
  return [...payable, ...rest].map((method) => row(method, lists, known))
}

function row(
  any: PaymentMethod,
  lists: ReadonlyMap<number, readonly PaymentMethod[]>,
  known: ReadonlyMap<number, Asset>,
): MethodRow {
  const { id, currencyCode, blockchainCode } = any
  return {
    id,
    currency: currencyCode,
    network: networkName(blockchainCode),
    asset: known.get(id),
    anyMethod: any,
    byProject: new Map(
      [...lists].flatMap(([projectId, methods]) => {
        const method = methods.find((one) => one.id === id)
        return method === undefined ? [] : [[projectId, method] as const]
      }),
    ),
  }
}

/** What a row is called in a sentence: "USDC on Base". */
export function methodName({ currency, network }: Pick<MethodRow, 'currency' | 'network'>): string {
  return t`${currency} on ${network}`
}

/** Whether a project's customers are offered it: what is off for the whole install is offered in no project. */
export function isOffered({ accepted, isOffEverywhere }: PaymentMethod): boolean {
  return accepted && !isOffEverywhere
}

/** Whether nothing would be left to pay a project with. */
export function isLast(methods: readonly PaymentMethod[], { id }: PaymentMethod): boolean {
  return methods.every((method) => !isOffered(method) || method.id === id)
}
