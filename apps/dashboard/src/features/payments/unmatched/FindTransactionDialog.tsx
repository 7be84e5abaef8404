import type { Deposit } from '@kassa/contract/deposits/schemas.ts'
import { MissedTransaction } from '@kassa/contract/payments/diagnosis.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'

import { asRequestError } from '../../../api/request-error.ts'
import { blockchainsQuery, publicAssetsQuery } from '../../../api/blockchains.ts'
import { formFailure } from '../../../api/form-failure.ts'
import { useCan } from '../../../api/me.ts'
import { useFindTransaction } from '../../../api/payment-repair.ts'
import { fieldErrors } from '../../../lib/forms/field-errors.ts'
import { useForm } from '../../../lib/forms/form.ts'
import { shortReference } from '../../../lib/text/short-reference.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'
import { Select } from '../../../ui/fields/Select.tsx'
import { TextField } from '../../../ui/fields/TextField.tsx'
import { AssignDialog } from './AssignDialog.tsx'
import { DiagnosisResult } from './DiagnosisResult.tsx'
import type { DiagnosisResultProps } from './DiagnosisResult.tsx'

export type FindTransactionProps = {
  readonly projectId: string
  /** The payment it is looked for, when there is one. */
  readonly referenceID?: string
  readonly onClose: () => void
}

type Outcome = DiagnosisResultProps['outcome']

/** Answers "the customer says they paid": the transaction is read from its blockchain again, and no word is believed. */
export function FindTransactionDialog({ projectId, referenceID, onClose }: FindTransactionProps) {
  const formId = useId()
  const find = useFindTransaction()
  const networks = useNetworks()
  const [outcome, setOutcome] = useState<Outcome>()
  const [assigned, setAssigned] = useState<Deposit>()
  const form = useForm({
    initial: { txHash: '', blockchainCode: '' },
    validate: (values) => fieldErrors(MissedTransaction, values),
    submit: async ({ txHash, blockchainCode }) => {
      setOutcome(undefined)
      const question = {
        txHash: txHash.trim(),
        ...(blockchainCode !== '' && { blockchainCode }),
        ...(referenceID !== undefined && { referenceID }),
      }
      try {
        setOutcome({ answer: await find(projectId, question) })
      } catch (thrown) {
        const { fields, text } = formFailure(thrown, ['txHash', 'blockchainCode'])
        if (text === undefined) return fields
        const { code, details = '' } = asRequestError(thrown)
        const isUnknown = code === 'TRANSACTION_NOT_FOUND' && details !== ''
        setOutcome(isUnknown ? { refusal: details, word: t`Not found` } : { refusal: text, word: t`No answer` })
      }
    },
  })
  if (assigned !== undefined) return <AssignDialog deposit={assigned} onClose={onClose} />

  const foot = (
    <>
      <Button onClick={onClose}>
        <Trans>Close</Trans>
      </Button>
      <Button kind={isPlaced(outcome) ? 'secondary' : 'primary'} type="submit" form={formId} loading={form.sending}>
        {outcome === undefined ? t`Find` : t`Look again`}
      </Button>
    </>
  )
  return (
    <Dialog title={t`Find a transaction`} locked={form.sending} onClose={onClose} foot={foot}>
      <form id={formId} noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
        <p className="text-body text-muted">
          <Trans>It is read from the network again, and credited only if it is there.</Trans>{' '}
          {referenceID !== undefined && <Trans>Asked for payment {shortReference(referenceID)}.</Trans>}
        </p>
        <TextField
          {...form.field('txHash')}
          label={t`Transaction hash`}
          mono
          hint={t`A link to an explorer works as well.`}
        />
        <Select
          {...form.field('blockchainCode')}
          label={t`Network`}
          options={[
            { value: '', label: t`Every network it can be on` },
            ...[...networks].map(([value, label]) => ({ value, label })),
          ]}
        />
      </form>
      <div role="status" aria-label={t`Outcome`} className="mt-5 empty:hidden">
        {form.sending && (
          <p className="text-body text-muted">
            <Trans>Asking the networks. This can take a few seconds.</Trans>
          </p>
        )}
        {outcome !== undefined && <DiagnosisResult projectId={projectId} outcome={outcome} onAssign={setAssigned} />}
      </div>
    </Dialog>
  )
}

/** The networks that are read, by code; all of them while the read ones are not known. */
function useNetworks(): ReadonlyMap<string, string> {
  const { data: assets = [] } = useQuery(publicAssetsQuery)
  const mayRead = useCan()('blockchain:read')
  const { data: blockchains } = useQuery({ ...blockchainsQuery, enabled: mayRead })
  const off = new Set(blockchains?.flatMap(({ code, status }) => (status === 'active' ? [] : [code])))
  const read = assets.filter(({ blockchainCode }) => !off.has(blockchainCode))
  return new Map(read.map(({ blockchainCode, network }) => [blockchainCode, network]))
}

/** Whether what was found has a press of its own. */
function isPlaced(outcome: Outcome | undefined): boolean {
  return outcome !== undefined && 'answer' in outcome && outcome.answer.deposit !== null
}
