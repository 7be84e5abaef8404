import { Trans } from '@lingui/react/macro'

import { Address } from '../../../ui/facts/Address.tsx'

export type AddressTableProps = {
  readonly label: string
  readonly addresses: readonly string[]
  /** Of the account they are derived from. */
  readonly path: string
}

/** The first addresses of an account, whole, for a person to compare with their own wallet. */
export function AddressTable({ label, addresses, path }: AddressTableProps) {
  return (
    <table aria-label={label} className="w-full border-collapse text-start text-dense">
      <thead className="sr-only">
        <tr>
          <th scope="col">
            <Trans comment="where an address lies in its wallet">Path</Trans>
          </th>
          <th scope="col">
            <Trans>Address</Trans>
          </th>
        </tr>
      </thead>
      <tbody className="divide-y divide-border border-y border-border">
        {addresses.map((address, index) => (
          <tr key={address} className="align-top max-sm:flex max-sm:flex-col max-sm:py-2">
            <th scope="row" className="py-2 pe-4 text-start font-normal whitespace-nowrap text-muted max-sm:py-0">
              <bdi dir="ltr">{`${path}/0/${index}`}</bdi>
            </th>
            <td className="py-1.5 max-sm:py-0">
              <Address value={address} full withCopy={false} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
