import type { BooksCheck } from '@kassa/contract/ledger/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'

import { ledgerCheckQuery } from '../../../api/ledger.ts'
import { isCheckOld } from '../../../lib/books.ts'
import { networkName } from '../../../labels/networks/network-name.ts'
import { useNow } from '../../../lib/time/ticker.ts'
import { Address } from '../../../ui/facts/Address.tsx'
import { Age } from '../../../ui/time/Age.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { KeyValue } from '../../../ui/facts/KeyValue.tsx'
import { booksFindings } from './books-findings.ts'
import { HealthCard } from './HealthCard.tsx'

/** Whether every account balances and agrees with the blockchains, or what does not. */
export function LedgerCheckCard() {
  const books = useQuery(ledgerCheckQuery)
  return (
    <HealthCard title={t`Books`} loading={t`Loading Books`} failed={t`Books couldn’t be loaded`} answer={books}>
      {(check) => <Check check={check} />}
    </HealthCard>
  )
}

function Check({ check }: { check: BooksCheck }) {
  const isOld = useNow((now) => isCheckOld(check.checkedAt, now))
  const rows = [
    {
      label: t`Head of the journal`,
      value:
        check.headHash === null ? t`No entry is sealed yet` : <Address value={check.headHash} label={t`head hash`} />,
    },
    ...check.unchecked.map(({ blockchainCode, reason }) => {
      const network = networkName(blockchainCode)
      return { label: t`Not compared with ${network}`, value: reason }
    }),
  ]
  return (
    <div className="flex flex-col gap-3">
      {check.ok ? (
        <p className="flex items-start gap-2 text-body">
          <span aria-hidden className="font-bold text-success-solid">
            ✓
          </span>
          <span>
            <Trans>
              Every account balances. Checked <Age at={check.checkedAt} /> ago.
            </Trans>
          </span>
        </p>
      ) : (
        <Findings check={check} />
      )}
      {isOld && (
        <Banner tone="warning">
          <Trans>The books are checked every hour, and this check is older. Look at the background work below.</Trans>
        </Banner>
      )}
      <KeyValue rows={rows} />
    </div>
  )
}

function Findings({ check }: { check: BooksCheck }) {
  return (
    <>
      <Banner tone="danger">
        <p className="font-medium">
          <Trans>
            The books don’t balance. Checked <Age at={check.checkedAt} /> ago.
          </Trans>
        </p>
        <p>
          <Trans>No money has moved because of this. Pay nothing out until it is explained.</Trans>
        </p>
      </Banner>
      <ul aria-label={t`What is wrong`} className="flex flex-col divide-y divide-border">
        {booksFindings(check).map(({ id, text, where }) => (
          <li key={id} className="py-2 text-body">
            <p className="font-medium">{text}</p>
            <p className="text-dense break-words text-muted tabular-nums">{where}</p>
          </li>
        ))}
      </ul>
      <p className="text-body text-muted">
        <Trans>
          To see every row, run <code className="font-mono text-dense">npm run check-books</code> on the server.
        </Trans>
      </p>
    </>
  )
}
