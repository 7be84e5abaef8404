import type { Deposit } from '@kassa/contract/deposits/schemas.ts'
import type { DiagnosisVerdict } from '@kassa/contract/payments/diagnosis.ts'
import type { ReactNode } from 'react'

import type { TransactionAnswer } from '../../../api/payment-repair.ts'
import { fullAmount } from '../../../lib/format.ts'
import { networkName } from '../../../lib/network-name.ts'
import { Address } from '../../../ui/Address.tsx'
import { Button } from '../../../ui/Button.tsx'
import { KeyValue } from '../../../ui/KeyValue.tsx'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { StatusBadge } from '../../../ui/StatusBadge.tsx'
import { TextLink } from '../../../ui/TextLink.tsx'
import type { Tone } from '../../../ui/tones.ts'

const VERDICTS: Readonly<Record<DiagnosisVerdict, readonly [Tone, string]>> = {
  credited: ['success', 'Credited'],
  confirming: ['progress', 'Confirming'],
  pending: ['progress', 'Not in a block yet'],
  chain_behind: ['warning', 'Not read yet'],
  wrong_network: ['warning', 'Another network'],
  wrong_token: ['warning', 'Another currency'],
  wrong_address: ['neutral', 'Another address'],
  not_yours: ['neutral', 'Another payment'],
  below_minimum: ['warning', 'Below the minimum'],
  failed_on_chain: ['danger', 'Failed on the network'],
  held: ['warning', 'Waits for a person'],
  not_found: ['neutral', 'Not found'],
}

export type VerdictProps = {
  readonly projectId: string
  readonly outcome: { readonly answer: TransactionAnswer } | { readonly refusal: string; readonly word: string }
  readonly onAssign: (deposit: Deposit) => void
}

/** What became of a transaction, what proves it, and the press that fits. */
export function Verdict({ projectId, outcome, onAssign }: VerdictProps) {
  if ('refusal' in outcome) {
    return (
      <Frame badge={<StatusBadge tone="neutral" word={outcome.word} />}>
        <p className="text-body">{outcome.refusal}</p>
      </Frame>
    )
  }
  const { verdict, text, deposit } = outcome.answer
  const [tone, word] = VERDICTS[verdict]
  return (
    <Frame badge={<StatusBadge tone={tone} word={word} wire={verdict} />}>
      <p className="text-body">{text}</p>
      <div className="flex flex-wrap gap-2 empty:hidden">
        {deposit?.status === 'unapplied' && (
          <Button size="small" kind="primary" onClick={() => onAssign(deposit)}>
            Assign to payment…
          </Button>
        )}
        {deposit?.status === 'quarantined' && (
          <Button size="small" kind="primary" onClick={() => onAssign(deposit)}>
            Release…
          </Button>
        )}
        {deposit !== null && deposit.referenceID !== null && (
          <LinkButton
            size="small"
            href={`/project/${deposit.externalPlatformID ?? projectId}/payments/allPayments?open=${deposit.referenceID}`}
          >
            Open the payment
          </LinkButton>
        )}
      </div>
      <KeyValue rows={rows(outcome.answer)} />
    </Frame>
  )
}

function Frame({ badge, children }: { badge: ReactNode; children: ReactNode }) {
  return (
    <div className="flex flex-col items-start gap-3 rounded-card border border-border bg-surface px-4 py-3.5 [&>dl]:w-full">
      {badge}
      {children}
    </div>
  )
}

function rows(answer: TransactionAnswer) {
  const { amount, currencyCode, blockchainCode, paidTo, depositAddress, confirmations, confirmationRequired } = answer
  const { explorerTransaction } = answer
  return [
    { label: 'Network', value: blockchainCode && networkName(blockchainCode) },
    { label: 'Amount', value: amount && fullAmount(amount, currencyCode ?? '') },
    { label: 'Paid to', value: paidTo && <Address value={paidTo} full /> },
    {
      label: 'Should have paid',
      value: depositAddress && depositAddress !== paidTo && <Address value={depositAddress} full />,
    },
    {
      label: 'Confirmations',
      value: confirmations !== null && `${confirmations} of ${confirmationRequired ?? '?'}`,
    },
    {
      label: 'Explorer',
      value: explorerTransaction && (
        <TextLink href={explorerTransaction} newTab>
          Open in the explorer
        </TextLink>
      ),
    },
  ].filter(({ value }) => Boolean(value))
}
