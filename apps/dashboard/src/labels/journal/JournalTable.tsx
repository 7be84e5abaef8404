import { t } from '@lingui/core/macro'

import { assetAmount } from '../../lib/text/format.ts'
import { accountText, isBalanced, type JournalLine, ledgerEntries } from './entries.ts'

const CELL = 'px-3 py-2 align-top first:ps-4 last:pe-4'

/** The journal's entries for a payment, a payout or a sweep: every debit has its credit. */
export function JournalTable({ journal }: { journal: readonly JournalLine[] }) {
  const entries = ledgerEntries(journal).toReversed()
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a wide table scrolls sideways by keyboard
    <div
      role="region"
      aria-label={t`Ledger, table`}
      tabIndex={0}
      className="overflow-x-auto rounded-card border border-border bg-surface"
    >
      <table aria-label={t`Ledger`} className="w-full border-collapse text-dense">
        <thead className="bg-sunken text-caption text-muted">
          <tr>
            {[t`Entry`, t`Account`, t`Debit`, t`Credit`].map((label, at) => (
              <th key={label} scope="col" className={`${CELL} font-medium ${at > 1 ? 'text-end' : 'text-start'}`}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        {entries.map(({ id, lines }) => (
          <tbody key={id} className="border-t border-border">
            {lines.map((line, at) => (
              // oxlint-disable-next-line react/no-array-index-key -- the lines of an entry never change
              <tr key={at}>
                <th scope="row" className={`${CELL} text-start font-medium tabular-nums`}>
                  {at === 0 ? id : <span className="sr-only">{id}</span>}
                  {at === 0 && line.posting !== undefined && (
                    <span className="block font-normal text-muted">{accountText(line.posting)}</span>
                  )}
                </th>
                <td className={CELL}>{accountText(line.account)}</td>
                <Figure amount={line.debit} asset={line.asset} />
                <Figure amount={line.credit} asset={line.asset} />
              </tr>
            ))}
          </tbody>
        ))}
        <tfoot className="border-t border-border bg-sunken text-muted">
          <tr>
            <td colSpan={4} className={CELL}>
              {isBalanced(journal)
                ? t`Sum 0: balanced`
                : t`Debits and credits differ. Report it to the operator of this server.`}
            </td>
          </tr>
        </tfoot>
      </table>
    </div>
  )
}

function Figure({ amount, asset }: { amount: string | null; asset: string }) {
  return (
    <td
      title={amount === null ? undefined : `${amount} ${asset}`}
      className={`${CELL} text-end whitespace-nowrap tabular-nums`}
    >
      {amount === null ? '' : assetAmount(amount, asset)}
    </td>
  )
}
