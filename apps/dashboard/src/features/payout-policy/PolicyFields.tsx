import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Plus, Trash2 } from 'lucide-react'

import type { Form } from '../../lib/forms/form.ts'
import { CENTS } from '../../lib/text/amount-text.ts'
import { Button } from '../../ui/actions/Button.tsx'
import { IconButton } from '../../ui/actions/IconButton.tsx'
import { AmountField } from '../../ui/fields/AmountField.tsx'
import { NumberField } from '../../ui/fields/NumberField.tsx'
import { RadioGroup } from '../../ui/fields/RadioGroup.tsx'
import { TextArea } from '../../ui/fields/TextArea.tsx'
import { Card } from '../../ui/places/Card.tsx'
import type { PolicyValues, StepValues } from './policy-values.ts'

const MOST_APPROVALS = 5
const MOST_STEPS = 10
const LONGEST_DELAY_HOURS = 720

/** What the rules are made of. */
export function PolicyFields({ form, approvers }: { form: Form<PolicyValues>; approvers: number }) {
  const { values, field, set } = form
  return (
    <>
      <Card title={t`Amounts`}>
        <div className="grid gap-4 md:grid-cols-3">
          <AmountField
            {...field('autoApproveLimitInUSD')}
            label={t`Without approval up to`}
            currency="USD"
            decimals={CENTS}
            hint={t`Each payout. 0: every payout needs an approval.`}
          />
          <AmountField
            {...field('hourlyLimitInUSD')}
            label={t`Limit per hour`}
            currency="USD"
            decimals={CENTS}
            hint={t`Above it, further payouts need an approval.`}
          />
          <AmountField
            {...field('dailyLimitInUSD')}
            label={t`Limit per 24 hours`}
            currency="USD"
            decimals={CENTS}
            hint={t`Above it, further payouts need an approval.`}
          />
        </div>
      </Card>
      <Card
        title={t`People`}
        text={plural(approvers, {
          0: 'Nobody may approve payouts of this project yet.',
          one: '# person may approve payouts of this project.',
          other: '# people may approve payouts of this project.',
        })}
      >
        <div className="flex flex-col gap-5">
          <div className="max-w-60">
            <NumberField {...field('quorum')} label={t`Approvals`} min={1} max={MOST_APPROVALS} />
          </div>
          <Steps form={form} />
          <RadioGroup
            legend={t`Four eyes`}
            value={values.fourEyes}
            onChange={(value) => set({ fourEyes: value === 'always' || value === 'off' ? value : 'auto' })}
            options={[
              {
                value: 'auto',
                label: t`When another member can approve`,
                hint: t`The member who requested a payout approves it only while nobody else could.`,
              },
              {
                value: 'always',
                label: t`Always`,
                hint: t`The member who requested a payout never approves it, even if it waits forever.`,
              },
              { value: 'off', label: t`Off`, hint: t`The member who requested a payout may approve it, too.` },
            ]}
          />
        </div>
      </Card>
      <Card title={t`Addresses`}>
        <div className="flex flex-col gap-5">
          <div className="max-w-60">
            <NumberField
              {...field('recipientDelayHours')}
              label={t`New addresses wait`}
              unit={t`hours`}
              min={0}
              max={LONGEST_DELAY_HOURS}
            />
          </div>
          <TextArea
            {...field('allowList')}
            label={t`Allow list`}
            mono
            rows={4}
            hint={t`One address per line. Empty: any address. With a list, nothing else is paid.`}
          />
        </div>
      </Card>
    </>
  )
}

function Steps({ form: { values, errors, set } }: { form: Form<PolicyValues> }) {
  const steps = values.quorumRules
  const change = (quorumRules: readonly StepValues[]) => set({ quorumRules })
  const add = () => {
    const key = Math.max(-1, ...steps.map((step) => step.key)) + 1
    change([...steps, { key, aboveUSD: '', approvals: '2' }])
  }
  const edit = (key: number, patch: Partial<StepValues>) =>
    change(steps.map((step) => (step.key === key ? { ...step, ...patch } : step)))
  return (
    <div className="flex flex-col gap-3">
      <ul className="flex flex-col gap-3 empty:hidden">
        {steps.map((step, at) => {
          const number = at + 1
          return (
            <li key={step.key}>
              <fieldset className="grid items-start gap-3 rounded-control border border-border p-3 sm:grid-cols-[1fr_1fr_auto]">
                <legend className="sr-only">
                  <Trans>Step {number}</Trans>
                </legend>
                <AmountField
                  name="quorumRules"
                  label={t`Above`}
                  currency="USD"
                  decimals={CENTS}
                  value={step.aboveUSD}
                  isRequired
                  onChange={(aboveUSD) => edit(step.key, { aboveUSD })}
                />
                <NumberField
                  label={t`Approvals`}
                  min={1}
                  max={MOST_APPROVALS}
                  value={step.approvals}
                  isRequired
                  onChange={(approvals) => edit(step.key, { approvals })}
                />
                <span className="justify-self-end sm:mt-[26px]">
                  <IconButton
                    label={t`Remove step ${number}`}
                    icon={<Trash2 aria-hidden strokeWidth={1.75} />}
                    onClick={() => change(steps.filter(({ key }) => key !== step.key))}
                  />
                </span>
              </fieldset>
            </li>
          )
        })}
      </ul>
      {errors.quorumRules !== undefined && (
        <p role="alert" className="text-dense text-danger-text">
          {errors.quorumRules}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Button icon={<Plus strokeWidth={2} />} disabled={steps.length >= MOST_STEPS} onClick={add}>
          <Trans>Add a step</Trans>
        </Button>
        <span className="text-dense text-muted">
          <Trans>Above its amount more people must approve.</Trans>
        </span>
      </div>
    </div>
  )
}
