import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'

import { networkName } from '../../../labels/networks/network-name.ts'
import { paths } from '../../../lib/paths.ts'
import { TextLink } from '../../../ui/actions/TextLink.tsx'
import { Address } from '../../../ui/facts/Address.tsx'
import type { Claim } from './refund.ts'

export type ClaimedAddressProps = {
  readonly claim: Claim
  /** It is a recipient that can be paid. */
  readonly isSaved: boolean
  readonly projectId: string
}

/** The address that the payer named, whole, and the way to make a recipient of it. */
export function ClaimedAddress({ claim: { address, blockchainCode }, isSaved, projectId }: ClaimedAddressProps) {
  const network = networkName(blockchainCode)
  return (
    <div className="flex flex-col gap-1 text-body">
      <span className="font-medium">
        <Trans>Address for the refund, on {network}</Trans>
      </span>
      <Address value={address} label={t`address`} full />
      <span className="text-dense text-muted">
        <Trans>Named by whoever has the payment’s link, not verified. Ask the customer whether it is theirs.</Trans>{' '}
        {!isSaved && (
          <TextLink href={paths.recipients({ projectId, newNetwork: blockchainCode, newAddress: address })}>
            <Trans>Save it as a recipient first</Trans>
          </TextLink>
        )}
      </span>
    </div>
  )
}
