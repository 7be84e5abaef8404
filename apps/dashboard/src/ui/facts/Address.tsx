import { addressGroups } from '@kassa/primitives/address-groups.ts'
import { Fragment } from 'react'

import { shortAddress, shortHash } from '../../lib/text/format.ts'
import { CopyButton } from '../actions/CopyButton.tsx'
import { Tooltip } from '../feedback/Tooltip.tsx'

export type AddressProps = {
  readonly value: string
  /** A name the reader knows it by; it stands first. */
  readonly name?: string
  /** Where money is decided an address is never shortened. */
  readonly full?: boolean
  /** The label of the copy button; "address" by default. */
  readonly label?: string
  readonly withCopy?: boolean
  /** Of a transaction: shortened, it goes without its 0x, as on the payment page. */
  readonly isHash?: boolean
}

/** An address or a hash: shortened to 4 + 4 in lists, whole on hover and focus, in groups of four where it counts. */
export function Address({
  value,
  name,
  full = false,
  label = 'address',
  withCopy = true,
  isHash = false,
}: AddressProps) {
  if (name !== undefined && full) {
    return (
      <span className="inline-flex max-w-full flex-wrap items-center gap-x-2">
        <span className="font-medium wrap-anywhere">{name}</span>
        <Address value={value} full label={label} withCopy={withCopy} />
      </span>
    )
  }
  return (
    <span className="inline-flex max-w-full items-center gap-1">
      {name !== undefined && <span className="me-1 font-medium">{name}</span>}
      {full ? (
        <bdi dir="ltr" className="font-mono text-dense leading-6">
          {addressGroups(value).map((group, at) => (
            // The gaps are drawn, not typed, so that selecting the groups copies the address unbroken.
            // oxlint-disable-next-line react/no-array-index-key -- the groups of one address never move
            <Fragment key={at}>
              <span className={`me-1 ${at % 2 === 0 ? 'text-ink' : 'text-strong-muted'}`}>{group}</span>
              <wbr />
            </Fragment>
          ))}
        </bdi>
      ) : (
        <Tooltip text={value}>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- focus shows the whole address */}
          <bdi dir="ltr" tabIndex={0} aria-label={value} role="img" className="rounded-chip font-mono text-dense">
            {isHash ? shortHash(value) : shortAddress(value)}
          </bdi>
        </Tooltip>
      )}
      {withCopy && <CopyButton label={label} value={value} />}
    </span>
  )
}
