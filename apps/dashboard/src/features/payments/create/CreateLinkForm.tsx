import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { asRequestError } from '../../../api/request-error.ts'
import { customerByEmailQuery } from '../../../api/customers.ts'
import { paymentPolicyQuery } from '../../../api/payment-policy.ts'
import { readinessQuery, useCreatePayment } from '../../../api/payments.ts'
import { copiedText, copyFailedText, copyWhenReady } from '../../../lib/device/clipboard.ts'
import { ALL_PROJECTS, lastProject } from '../../../lib/navigation/current-project.ts'
import { useForm } from '../../../lib/forms/form.ts'
import { useSearchState } from '../../../lib/navigation/search.ts'
import { useDebounced } from '../../../lib/forms/useDebounced.ts'
import { CENTS } from '../../../lib/text/amount-text.ts'
import { AmountField } from '../../../ui/fields/AmountField.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Button } from '../../../ui/actions/Button.tsx'
import { Card } from '../../../ui/places/Card.tsx'
import { PageActions } from '../../../ui/places/PageActions.tsx'
import { LeaveGuard } from '../../../ui/forms/LeaveGuard.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import type { NewLink } from './CreatedLink.tsx'
import { CustomerField } from './CustomerField.tsx'
import { LinkOptions } from './LinkOptions.tsx'
import {
  EMPTY_LINK,
  hasMore,
  isSameLink,
  linkErrors,
  linkFailure,
  linkOf,
  type LinkFailure,
  type LinkValues,
} from './new-link.ts'
import { NotReady } from './NotReady.tsx'
import { OpenLinkNote } from './OpenLinkNote.tsx'
import { ProjectField } from './ProjectField.tsx'
import { tooLittle } from './minimum-amount.ts'

export type CreateLinkFormProps = {
  readonly projectId: string
  /** The reference of the link it made last. */
  readonly made: string | undefined
  readonly onMade: (link: NewLink) => void
  /** Told of a press that would only make the same link once more. */
  readonly onRepeat: () => void
}

/** Why no link was made of these values. */
type Failed = LinkFailure & { readonly values: LinkValues; readonly isLost: boolean; readonly at: number }

/** What the command palette was given. */
function givenIn({ amount = '', email = '' }: Readonly<Record<string, string>>): Partial<LinkValues> {
  return { amountInUSD: /^\d{1,12}(\.\d{1,6})?$/.test(amount) ? amount : '', customerEmail: email }
}

/** Asks for an amount and a customer; the link goes to the clipboard as soon as it exists. */
export function CreateLinkForm({ projectId, made, onMade, onRepeat }: CreateLinkFormProps) {
  const create = useCreate(onMade)
  const [madeOf, setMadeOf] = useState<LinkValues>()
  const [failed, setFailed] = useState<Failed>()
  const hasChoice = projectId === ALL_PROJECTS
  const [search] = useSearchState()
  // What the palette was given is no work of this page: it is given again as fast.
  const [start] = useState({ ...EMPTY_LINK, ...givenIn(search) })
  /** Whether the press that sends the form now is "Create anyway". */
  const mayReplace = useRef(false)
  const form = useForm<LinkValues>({
    initial: { ...start, projectId: hasChoice ? (lastProject() ?? '') : projectId },
    validate: (values) => linkErrors(values, isEmailRequired),
    submit: async (values) => {
      setFailed(undefined)
      // Another link for the customer would end the one just made, which a second press does not mean.
      if (made !== undefined && isSameLink(madeOf, values)) return onRepeat()
      try {
        await create(values, mayReplace.current)
        setMadeOf(values)
      } catch (thrown) {
        const refused = linkFailure(thrown, values)
        setFailed({ ...refused, values, isLost: asRequestError(thrown).isLost, at: Date.now() })
        return refused.fields
      }
    },
  })
  const { data: policy } = useQuery(paymentPolicyQuery(form.values.projectId))
  // Until the project's own rule is known, the stricter one applies.
  const isEmailRequired: boolean = policy?.customerEmailRequired ?? true
  const { data: readiness, dataUpdatedAt } = useQuery(readinessQuery(form.values.projectId))
  const isDebounced = useDebounced(form.values.amountInUSD)
  const short = isDebounced ? tooLittle(form.values.amountInUSD, readiness?.leastAmountInUSD) : undefined
  const refused = failed?.values.projectId === form.values.projectId ? failed.missing : undefined
  const missing = refused ?? (readiness?.ready === false ? readiness.missing : [])
  // A refusal is about what was sent; a lost server is back as soon as it has answered anything.
  const isOver = failed?.values !== form.values || (failed.isLost && dataUpdatedAt > failed.at)

  return (
    <Card>
      <form
        noValidate
        onSubmit={(event) => {
          form.onSubmit(event)
          mayReplace.current = false
        }}
        className="flex flex-col gap-5"
      >
        {missing.length > 0 && <NotReady missing={missing} />}
        {failed?.text !== undefined && !isOver && <Banner tone="danger">{failed.text}</Banner>}
        {hasChoice && <ProjectField {...form.field('projectId')} />}
        <AmountField
          {...form.field('amountInUSD')}
          label={t`Amount in USD`}
          currency="USD"
          decimals={CENTS}
          large
          autoFocus={!hasChoice}
        />
        {short !== undefined && <Banner tone="warning">{short}</Banner>}
        <CustomerField
          {...form.field('customerEmail')}
          projectId={form.values.projectId}
          isRequired={isEmailRequired}
        />
        <OpenLinkNote
          projectId={form.values.projectId}
          email={form.values.customerEmail}
          made={made}
          refused={isOver ? undefined : failed?.open}
          onReplace={() => {
            mayReplace.current = true
          }}
        />
        <LinkOptions form={form} />
        {/* Beside a link that was made the one next step is to copy it. */}
        <PageActions
          primary={
            <Button
              kind={made === undefined ? 'primary' : 'secondary'}
              size="large"
              type="submit"
              wide
              loading={form.sending}
            >
              <Trans>Create link</Trans>
            </Button>
          }
        />
        <LeaveGuard
          isDirty={!form.sending && hasMore(form.values, start) && !isSameLink(madeOf, form.values)}
          title={t`Leave without creating the link?`}
          text={t`What you filled in is not kept.`}
        />
      </form>
    </Card>
  )
}

/** Returns the function that makes the link and copies it; the copy is asked for in the same press. */
function useCreate(onMade: (link: NewLink) => void): (values: LinkValues, mayReplace: boolean) => Promise<void> {
  const create = useCreatePayment()
  const queryClient = useQueryClient()
  return async (values, mayReplace) => {
    const { projectId, customerEmail, amountInUSD } = values
    const made = (async () => {
      // Without the customer's id the e-mail names the customer.
      const known = await queryClient.query(customerByEmailQuery(projectId, customerEmail)).catch(() => null)
      return create(projectId, { ...linkOf(values, known), ...(mayReplace && { replace: true }) })
    })()
    const copied = copyWhenReady(made.then(({ url }) => url))
    const { reference_id: reference, url, superseded } = await made
    onMade({ projectId, reference, url, superseded, amountInUSD, customerEmail })
    if (await copied) toast.success(copiedText(t`payment link`))
    else toast.error(copyFailedText(t`payment link`))
  }
}
