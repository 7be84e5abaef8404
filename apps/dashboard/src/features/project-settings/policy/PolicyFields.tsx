import { t } from '@lingui/core/macro'

import type { Form } from '../../../lib/forms/form.ts'
import { CENTS } from '../../../lib/text/amount-text.ts'
import { AmountField } from '../../../ui/fields/AmountField.tsx'
import { Card } from '../../../ui/places/Card.tsx'
import { Checkbox } from '../../../ui/fields/Checkbox.tsx'
import { NumberField } from '../../../ui/fields/NumberField.tsx'
import { RadioGroup } from '../../../ui/fields/RadioGroup.tsx'
import { TextField } from '../../../ui/fields/TextField.tsx'
import { amountsExample, graceExample, lifetimeExample, overpaidExample, underpaidExample } from './policy-examples.ts'
import { OPEN_LINKS } from './policy-values.ts'
import type { PolicyValues } from './policy-values.ts'

/** Between five minutes and a week. */
const LIFETIME = { min: 5, max: 10_080 } as const

/** A month; later a person decides. */
const LONGEST_GRACE_HOURS = 720

/** The rules about links, amounts and money that is not as it was asked for. */
export function PolicyFields({ form }: { form: Form<PolicyValues> }) {
  const { values, field, set } = form
  return (
    <>
      <Card title={t`Links`}>
        <div className="flex flex-col gap-5">
          <div className="grid gap-4 md:grid-cols-2">
            <NumberField
              {...field('linkLifetimeMinutes')}
              {...LIFETIME}
              label={t`Link lifetime`}
              unit={t`minutes`}
              hint={lifetimeExample(values.linkLifetimeMinutes)}
            />
          </div>
          <RadioGroup
            legend={t`Open links per customer`}
            value={values.openPaymentsPerCustomer}
            onChange={(value) => set({ openPaymentsPerCustomer: value === 'many' ? 'many' : 'one' })}
            options={[
              {
                value: 'one',
                label: t(OPEN_LINKS.one),
                hint: t`A newer link over $20.00 that your server makes ends the customer’s older one over $10.00, unless money was seen for it. Operators are asked first.`,
              },
              {
                value: 'many',
                label: t(OPEN_LINKS.many),
                hint: t`For invoices that are open side by side. Money is matched by its amount.`,
              },
            ]}
          />
          <div className="flex flex-col gap-1">
            <Checkbox
              label={t`Every link needs the customer’s e-mail`}
              hint={t`On: a link over $20.00 without an e-mail is refused. Off: it is made for a customer without one.`}
              checked={values.customerEmailRequired}
              onChange={(customerEmailRequired) => set({ customerEmailRequired })}
            />
            <Checkbox
              label={t`Invoice IDs are unique`}
              hint={t`With a link for A-77, a second link for A-77 is refused unless the first was cancelled.`}
              checked={values.uniqueInvoiceID}
              onChange={(uniqueInvoiceID) => set({ uniqueInvoiceID })}
            />
            <Checkbox
              label={t`Remind customers of open links by e-mail`}
              hint={t`One mail when a quarter of a link’s time is left, at most a day: at 14:45 for one from 14:00 to 15:00. Links of less than an hour get none.`}
              checked={values.reminderMail}
              onChange={(reminderMail) => set({ reminderMail })}
            />
          </div>
        </div>
      </Card>
      <Card title={t`Amounts`} text={amountsExample(values.minAmountInUSD, values.maxAmountInUSD)}>
        <div className="grid gap-4 md:grid-cols-2">
          <AmountField {...field('minAmountInUSD')} label={t`Smallest amount`} currency="USD" decimals={CENTS} />
          <AmountField
            {...field('maxAmountInUSD')}
            label={t`Largest amount`}
            currency="USD"
            decimals={CENTS}
            hint={t`Empty: no largest amount.`}
          />
        </div>
      </Card>
      <Card title={t`Money that is not quite right`}>
        <div className="flex flex-col gap-5">
          <div className="grid gap-4 md:grid-cols-2">
            <TextField
              {...field('underpaidTolerancePercent')}
              label={t`Underpayment tolerance`}
              inputMode="decimal"
              suffix="%"
              hint={underpaidExample(values.underpaidTolerancePercent)}
            />
            <TextField
              {...field('overpaidTolerancePercent')}
              label={t`Overpayment tolerance`}
              inputMode="decimal"
              suffix="%"
              hint={overpaidExample(values.overpaidTolerancePercent)}
            />
            <NumberField
              {...field('lateGraceHours')}
              min={0}
              max={LONGEST_GRACE_HOURS}
              label={t`Grace period for late payments`}
              unit={t`hours`}
              hint={graceExample(values.lateGraceHours)}
            />
          </div>
          <Checkbox
            label={t`Apply unmatched funds to the next payment`}
            hint={t`Unmatched funds of a customer count for their next link in the same currency and network. Off: a person decides each time.`}
            checked={values.applyUnappliedToNext}
            onChange={(applyUnappliedToNext) => set({ applyUnappliedToNext })}
          />
        </div>
      </Card>
    </>
  )
}
