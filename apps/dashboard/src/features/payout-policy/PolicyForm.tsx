import { ChangePayoutConfig, type PayoutConfig } from '@kassa/contract/payout-policy/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'

import { formFailure } from '../../api/form-failure.ts'
import { useCan } from '../../api/me.ts'
import { useChangePayoutConfig } from '../../api/payout-policy.ts'
import { fieldErrors } from '../../lib/forms/field-errors.ts'
import { useForm } from '../../lib/forms/form.ts'
import { Button } from '../../ui/actions/Button.tsx'
import { Banner } from '../../ui/feedback/Banner.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { LeaveGuard } from '../../ui/forms/LeaveGuard.tsx'
import { Card } from '../../ui/places/Card.tsx'
import { DryRunPanel } from './DryRunPanel.tsx'
import { PolicyFields } from './PolicyFields.tsx'
import { policySentences } from './policy-sentences.ts'
import { changesOf, mergeValues, requestOf, valuesOf } from './policy-values.ts'

/** Unsaved changes keep their buttons in sight, above the bar of a phone. */
const IN_SIGHT =
  'sticky bottom-[calc(0.75rem+var(--page-end,0px))] z-10 rounded-card border border-border bg-raised px-4 py-3 shadow-menu'

/** The rules as sentences, the fields behind them, and what they would have done. */
export function PolicyForm({ projectId, config }: { projectId: string; config: PayoutConfig }) {
  const change = useChangePayoutConfig(projectId)
  const mayWrite = useCan()('payout_policy:write', projectId)
  const [failure, setFailure] = useState<string>()
  const [start, setStart] = useState(config)
  const [isOvertaken, setOvertaken] = useState(false)
  const before = valuesOf(start)
  const form = useForm({
    initial: before,
    validate: (values) => fieldErrors(ChangePayoutConfig, requestOf(values)),
    submit: async (values) => {
      setFailure(undefined)
      setOvertaken(false)
      try {
        form.set(valuesOf(await change({ ...changesOf(before, values), version: start.version })))
        toast.success(t`Payout policy saved`)
      } catch (thrown) {
        const { fields, text } = formFailure(thrown, Object.keys(values))
        setFailure(text)
        return fields
      }
    },
  })
  // A change of somebody else, or a pause, comes in beside what is being typed here.
  if (start.version !== config.version) {
    const met = mergeValues(start, config, form.values)
    setStart(config)
    form.set(met.values)
    if (met.isMixed && !form.sending) setOvertaken(true)
  }
  const changes = changesOf(before, form.values)
  const isDirty = Object.keys(changes).length > 0
  const errors = fieldErrors(ChangePayoutConfig, requestOf(form.values))
  return (
    <>
      {config.installPausedAt !== null && (
        <Banner tone="warning">
          <Trans>Sending is paused for every project: payouts wait until an operator resumes it.</Trans>
        </Banner>
      )}
      {config.paused && (
        <Banner tone="warning">
          <Trans>Sending is paused: payouts wait until an operator resumes it.</Trans>
        </Banner>
      )}
      {failure !== undefined && <Banner tone="danger">{failure}</Banner>}
      {isOvertaken && isDirty && (
        <Banner tone="warning">
          <Trans>
            Somebody else changed this policy meanwhile. What you typed is kept: read the rules before you save.
          </Trans>
        </Banner>
      )}
      <Card
        title={t`Rules`}
        text={mayWrite ? undefined : t`Changing them needs payout_policy:write. Ask an administrator.`}
      >
        <ol aria-label={t`Rules`} className="flex list-decimal flex-col gap-1.5 ps-5 text-body">
          {policySentences(form.values, config).map((sentence) => (
            <li key={sentence} className="break-words">
              {sentence}
            </li>
          ))}
        </ol>
      </Card>
      {mayWrite && (
        <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
          <PolicyFields form={form} approvers={config.approvers} />
          <DryRunPanel projectId={projectId} draft={Object.keys(errors).length > 0 ? undefined : changes} />
          <div className={`flex flex-wrap items-center gap-3 ${isDirty ? IN_SIGHT : ''}`}>
            <Button kind="primary" type="submit" loading={form.sending} disabled={!isDirty}>
              <Trans>Save policy</Trans>
            </Button>
            {isDirty && (
              <Button onClick={() => form.set(before)} disabled={form.sending}>
                <Trans>Discard changes</Trans>
              </Button>
            )}
          </div>
          <LeaveGuard isDirty={isDirty && !form.sending} />
        </form>
      )}
      {!mayWrite && <DryRunPanel projectId={projectId} draft={{}} />}
    </>
  )
}
