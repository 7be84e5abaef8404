import type { PaymentDetail } from '@kassa/contract/payments/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'

import { networkName } from '../../../labels/networks/network-name.ts'
import { unlistedToken } from '../../../labels/unlisted-token.ts'
import { TextLink } from '../../../ui/actions/TextLink.tsx'
import { Address } from '../../../ui/facts/Address.tsx'
import { IssueLine } from './IssueLine.tsx'

/** What came in tokens that Kassa does not list while the payment was open: a note, nothing of it counts. */
export function UnlistedNotes({ payment: { unlisted } }: { payment: PaymentDetail }) {
  if (unlisted.length === 0) return null
  return (
    <section aria-label={t`Tokens that are not listed`} className="flex flex-col gap-2">
      {unlisted.map((notice) => {
        const token = unlistedToken(notice)
        const network = networkName(notice.blockchainCode)
        return (
          <IssueLine
            key={`${notice.txHash} ${notice.contract}`}
            tone={notice.isLookAlike ? 'warning' : 'neutral'}
            title={t`${token} came on ${network} and does not count`}
          >
            <p>
              {notice.isLookAlike ? (
                <Trans>
                  It calls itself like a currency that Kassa lists, but its contract is another. Don’t deliver for it.
                </Trans>
              ) : (
                <Trans>
                  Kassa does not list this token. It is at the customer’s deposit address; the wallet of that address
                  can send it back.
                </Trans>
              )}
            </p>
            <span className="inline-flex flex-wrap items-center gap-x-3">
              <Address value={notice.contract} label={t`contract address`} />
              {notice.explorerTransaction !== '' && (
                <TextLink href={notice.explorerTransaction} newTab>
                  <Trans>Transaction</Trans>
                </TextLink>
              )}
            </span>
          </IssueLine>
        )
      })}
    </section>
  )
}
