import type { Project } from '@kassa/contract/projects/schemas.ts'
import { useRef, useState } from 'react'

import { useCan } from '../../api/me.ts'
import { useForm } from '../../lib/form.ts'
import { Card } from '../../ui/Card.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { TextLink } from '../../ui/TextLink.tsx'
import { toast } from '../../ui/toast.ts'
import { BrandColorField } from './BrandColorField.tsx'
import { DefaultAssetFields } from './DefaultAssetFields.tsx'
import { LeaveGuard } from '../../ui/LeaveGuard.tsx'
import { LogoField } from './LogoField.tsx'
import { changeErrors, changesOf, valuesOf } from './project-changes.ts'
import type { ProjectValues } from './project-changes.ts'
import { SaveBar } from './SaveBar.tsx'
import { useSaveProject } from './save-project.ts'

type AddressField = Extract<keyof ProjectValues, 'website' | `${string}Endpoint` | `${string}URL`>

/** Everything about a project that its page of details holds; what is saved is what was changed. */
export function ProjectForm({ project }: { project: Project }) {
  // What the changes are counted from: what was last saved, not what another screen's refresh brings in.
  const [saved, setSaved] = useState(project)
  const [failure, setFailure] = useState<string>()
  const save = useSaveProject()
  const frame = useRef<HTMLFormElement>(null)
  const mayChangeWebhook = useCan()('webhook:write', project.id)

  // The bar goes with its last change; whoever pressed one of its buttons must not be thrown to the top of the page.
  const keepFocus = () => {
    if (document.activeElement instanceof HTMLButtonElement) frame.current?.focus({ preventScroll: true })
  }

  const form = useForm({
    initial: valuesOf(saved),
    validate: (values) => changeErrors(changesOf(saved, values)),
    submit: async (values) => {
      setFailure(undefined)
      const outcome = await save(saved.id, changesOf(saved, values))
      setFailure(outcome.failure)
      if (outcome.project === undefined) return outcome.errors
      setSaved(outcome.project)
      form.set(valuesOf(outcome.project))
      keepFocus()
      toast.success('Changes saved')
    },
  })
  const changes = Object.keys(changesOf(saved, form.values) ?? {}).length
  const discard = () => {
    setFailure(undefined)
    form.set(valuesOf(saved))
    keepFocus()
  }

  const address = (name: AddressField) =>
    ({ ...form.field(name), type: 'url', inputMode: 'url', placeholder: 'https://' }) as const
  return (
    <form ref={frame} tabIndex={-1} noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4 outline-none">
      <Card title="Project">
        <div className="grid gap-4 md:grid-cols-2">
          <TextField {...form.field('name')} label="Name" hint="Customers see it on the payment page." />
          <TextField {...address('website')} label="Website" />
          <TextField {...form.field('supportEmail')} label="Support e-mail" type="email" inputMode="email" />
        </div>
      </Card>
      <Card title="Branding" text="What customers see on the payment page.">
        <div className="grid gap-5 md:grid-cols-2">
          <LogoField
            path={form.values.logoPath}
            file={form.values.logo}
            error={form.errors.logo}
            onChange={(change) => form.set(change)}
          />
          <BrandColorField field={form.field('brandColor')} />
        </div>
      </Card>
      <Card title="Addresses" text="Where customers and messages go.">
        <div className="grid gap-4 md:grid-cols-2">
          <TextField {...address('successEndpoint')} label="Success address" hint="After paying." />
          <TextField {...address('cancelEndpoint')} label="Cancel address" hint="After giving up." />
          <TextField
            {...address('frontendEndpoint')}
            label="Frontend address"
            hint="Serves payment pages in place of this server."
          />
          <TextField
            {...address('webhookEndpoint')}
            label="Webhook address"
            readOnly={!mayChangeWebhook}
            hint={
              <>
                The first endpoint that is told of payments. Others under{' '}
                <TextLink href={`/developers?tabId=webhooks&projectId=${project.id}`}>Webhooks</TextLink>.
              </>
            }
          />
        </div>
      </Card>
      <Card title="Checkout">
        <div className="grid gap-4 md:grid-cols-2">
          <DefaultAssetFields
            projectId={String(project.id)}
            network={form.field('defaultPaymentBlockchainID')}
            asset={form.field('defaultPaymentBlockchainCurrencyID')}
          />
        </div>
      </Card>
      <Card title="Social links">
        <div className="grid gap-4 md:grid-cols-2">
          <TextField {...address('twitterURL')} label="X / Twitter" />
          <TextField {...address('discordURL')} label="Discord" />
          <TextField {...address('linkedInURL')} label="LinkedIn" />
          <TextField {...address('telegramURL')} label="Telegram" />
        </div>
      </Card>
      {changes > 0 && <SaveBar changes={changes} failure={failure} sending={form.sending} onDiscard={discard} />}
      <LeaveGuard isDirty={changes > 0} />
    </form>
  )
}
