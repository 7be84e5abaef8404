import type { Project } from '@kassa/contract/projects/schemas.ts'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import type { ComponentType } from 'react'

import { asRequestError } from '../../api/request-error.ts'
import { meQuery, useCan } from '../../api/me.ts'
import { projectQuery } from '../../api/project-changes.ts'
import { Card } from '../../ui/places/Card.tsx'
import { ErrorState } from '../../ui/places/ErrorState.tsx'
import { lazyPart } from '../../ui/overlays/lazy-load.ts'
import { PageHead } from '../../ui/places/PageHead.tsx'
import { LoadingText, Skeleton } from '../../ui/feedback/Skeleton.tsx'
import { Tabs } from '../../ui/actions/Tabs.tsx'
import { ArchiveTab } from './details/ArchiveTab.tsx'
import { DetailsForm } from './details/DetailsForm.tsx'
import type { ValueName } from './saved-form/project-changes.ts'
import { ProjectFacts } from './details/ProjectFacts.tsx'

const BrandingForm = lazyPart(async () => ({ default: (await import('./branding/BrandingForm.tsx')).BrandingForm }))
const NotificationsForm = lazyPart(async () => ({
  default: (await import('./details/NotificationsForm.tsx')).NotificationsForm,
}))
const PaymentPolicyTab = lazyPart(async () => ({
  default: (await import('./policy/PaymentPolicyTab.tsx')).PaymentPolicyTab,
}))

type ProjectTab = { readonly form: ComponentType<{ project: Project }>; readonly names: readonly ValueName[] }

/** The tabs over a project's own values: their form, and what those who may only read are shown. */
const FORMS: Readonly<Record<string, ProjectTab>> = {
  projectDetails: {
    form: DetailsForm,
    names: [
      'name',
      'website',
      'supportEmail',
      'successEndpoint',
      'cancelEndpoint',
      'frontendEndpoint',
      'webhookEndpoint',
      'defaultPaymentBlockchainID',
      'twitterURL',
      'discordURL',
      'linkedInURL',
      'telegramURL',
    ],
  },
  branding: { form: BrandingForm, names: ['logo', 'brandColor', 'checkoutLanguage', 'checkoutTheme', 'backText'] },
  notifications: { form: NotificationsForm, names: ['emailSendRequestFrom', 'emailSendRequestReplyTo'] },
}

/** The settings of one project; the heading is its name. */
export function ProjectSettings({ projectId }: { projectId: string }) {
  const { data: project } = useQuery(projectQuery(projectId))
  const mayArchive = useCan()('project:archive', projectId)
  return (
    <>
      <PageHead title={project?.name ?? t`Project settings`} />
      <Tabs label={t`Project settings`} tabs={projectTabs(mayArchive)} param="tab">
        {(tab) => (
          <Suspense fallback={<Loading />}>
            {tab === 'checkout' && <PaymentPolicyTab projectId={projectId} />}
            {tab === 'danger' && <ArchiveTab projectId={projectId} />}
            {FORMS[tab] !== undefined && <ProjectPart key={tab} projectId={projectId} tab={FORMS[tab]} />}
          </Suspense>
        )}
      </Tabs>
    </>
  )
}

/** The danger zone is only for those who may archive. */
function projectTabs(mayArchive: boolean) {
  const tabs = [
    { id: 'projectDetails', label: t`Project details` },
    { id: 'branding', label: t`Branding` },
    { id: 'checkout', label: t`Checkout` },
    { id: 'notifications', label: t`Notifications` },
  ] as const
  return mayArchive ? ([...tabs, { id: 'danger', label: t`Danger zone` }] as const) : tabs
}

function ProjectPart({ projectId, tab: { form: Form, names } }: { projectId: string; tab: ProjectTab }) {
  const { data: project, error, refetch } = useQuery(projectQuery(projectId))
  const { data: me } = useQuery(meQuery)
  const can = useCan()
  if (project === undefined && error !== null) {
    return (
      <Card flush>
        <ErrorState
          title={t`The project couldn’t be loaded`}
          error={asRequestError(error)}
          onRetry={() => void refetch()}
        />
      </Card>
    )
  }
  if (project === undefined || me === undefined) return <Loading />
  return can('project:update', project.id) ? (
    <Form key={project.id} project={project} />
  ) : (
    <ProjectFacts project={project} names={names} />
  )
}

function Loading() {
  return (
    <Card>
      <div className="grid gap-5 md:grid-cols-2">
        {[0, 1, 2, 3].map((field) => (
          <div key={field} className="flex flex-col gap-2">
            <Skeleton width={96} />
            <Skeleton height={36} />
          </div>
        ))}
        <LoadingText text={t`Loading the project`} />
      </div>
    </Card>
  )
}
