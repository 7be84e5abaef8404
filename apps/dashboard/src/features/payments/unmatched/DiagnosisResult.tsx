import type { Deposit } from '@kassa/contract/deposits/schemas.ts'
import type { DiagnosisVerdict } from '@kassa/contract/payments/diagnosis.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'

import type { TransactionAnswer } from '../../../api/payment-repair.ts'
import { paths } from '../../../lib/paths.ts'
import { fullAmount } from '../../../lib/text/format.ts'
import { networkName } from '../../../labels/networks/network-name.ts'
import { Address } from '../../../ui/facts/Address.tsx'
import { Button } from '../../../ui/actions/Button.tsx'
import { KeyValue } from '../../../ui/facts/KeyValue.tsx'
import { LinkButton } from '../../../ui/actions/LinkButton.tsx'
import { StatusBadge } from '../../../ui/facts/StatusBadge.tsx'
import { TextLink } from '../../../ui/actions/TextLink.tsx'
import type { Tone } from '../../../ui/feedback/tones.ts'

const VERDICTS: Readonly<Record<DiagnosisVerdict, readonly [Tone, MessageDescriptor]>> = {
  credited: ['success', msg`Credited`],
  confirming: ['progress', msg`Confirming`],
  pending: ['progress', msg`Not in a block yet`],
  chain_behind: ['warning', msg`Not read yet`],
  wrong_network: ['warning', msg`Another network`],
  wrong_token: ['warning', msg`Another currency`],
  wrong_address: ['neutral', msg`Another address`],
  not_yours: ['neutral', msg`Another payment`],
  below_minimum: ['warning', msg`Below the minimum`],
  failed_on_chain: ['danger', msg`Failed on the network`],
  replaced: ['warning', msg`Replaced by another transaction`],
  held: ['warning', msg`Waits for a person`],
  not_found: ['neutral', msg`Not found`],
}

export type DiagnosisResultProps = {
  readonly projectId: string
  readonly outcome: { readonly answer: TransactionAnswer } | { readonly refusal: string; readonly word: string }
  readonly onAssign: (deposit: Deposit) => void
}

/** What became of a transaction, what proves it, and the press that fits. */
export function DiagnosisResult({ projectId, outcome, onAssign }: DiagnosisResultProps) {
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
    <Frame badge={<StatusBadge tone={tone} word={t(word)} wire={verdict} />}>
      <p className="text-body">{text}</p>
      <div className="flex flex-wrap gap-2 empty:hidden">
        {deposit?.status === 'unapplied' && (
          <Button size="small" kind="primary" onClick={() => onAssign(deposit)}>
            <Trans>Assign to payment…</Trans>
          </Button>
        )}
        {deposit?.status === 'quarantined' && (
          <Button size="small" kind="primary" onClick={() => onAssign(deposit)}>
            <Trans>Release…</Trans>
          </Button>
        )}
        {deposit !== null && deposit.referenceID !== null && (
          <LinkButton
            size="small"
            href={paths.payments({ projectId: deposit.externalPlatformID ?? projectId }, { open: deposit.referenceID })}
          >
            <Trans>Open the payment</Trans>
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
  const required = confirmationRequired ?? '?'
  return [
    { label: t`Network`, value: blockchainCode && networkName(blockchainCode) },
    { label: t`Amount`, value: amount && fullAmount(amount, currencyCode ?? '') },
    { label: t`Paid to`, value: paidTo && <Address value={paidTo} full /> },
    {
      label: t`Should have paid`,
      value: depositAddress && depositAddress !== paidTo && <Address value={depositAddress} full />,
    },
    {
      label: t`Confirmations`,
      value: confirmations !== null && t`${confirmations} of ${required}`,
    },
    {
      label: t`Explorer`,
      value: explorerTransaction && (
        <TextLink href={explorerTransaction} newTab>
          <Trans>Open in the explorer</Trans>
        </TextLink>
      ),
    },
  ].filter(({ value }) => Boolean(value))
}
