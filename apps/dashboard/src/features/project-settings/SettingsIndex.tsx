import { useQuery } from '@tanstack/react-query'

import { asApiError } from '../../api/api-error.ts'
import { useCan } from '../../api/me.ts'
import { projectsQuery } from '../../api/projects.ts'
import { ArchivedProjects } from './ArchivedProjects.tsx'
import { Card } from '../../ui/Card.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { TextLink } from '../../ui/TextLink.tsx'
import { SPEC_TEXTS } from '../../lib/spec-texts.ts'

/** The way to every setting there is; what the operator may not read is not shown. */
export function SettingsIndex() {
  const projects = useQuery(projectsQuery)
  const can = useCan()
  return (
    <>
      <PageHead title="Settings" />
      <div className="grid items-start gap-4 sm:grid-cols-2 lg:grid-cols-3">
        <Card title="Projects" text="Name, branding, addresses and links of each project.">
          {projects.isPending && <Skeleton width="60%" />}
          {projects.data === undefined && projects.error !== null && (
            <ErrorState
              title={SPEC_TEXTS.projectsFailed}
              error={asApiError(projects.error)}
              onRetry={() => void projects.refetch()}
            />
          )}
          {projects.data?.length === 0 && (
            <p className="text-body text-muted">None yet. Add one from the project menu.</p>
          )}
          <ul className="flex flex-col gap-2">
            {projects.data?.map(({ id, name }) => (
              <li key={id}>
                <TextLink href={`/settings/account/${id}?tab=projectDetails`}>{name}</TextLink>
              </li>
            ))}
          </ul>
          <ArchivedProjects />
        </Card>
        <Card title="You" text="Your own access to Kassa.">
          <TextLink href="/settings/security">Security</TextLink>
        </Card>
        {can('wallet:read') && (
          <Card title="Wallets" text="Where customers pay, and who could move the money.">
            <TextLink href="/manageWallet/deposit-wallet">Deposit wallets</TextLink>
          </Card>
        )}
        {(can('blockchain:read') || can('settings:read') || can('system:read')) && (
          <Card title="Server" text="What payments are read through, and whether all of it runs.">
            <ul className="flex flex-col gap-2">
              {can('blockchain:read') && (
                <li>
                  <TextLink href="/settings/blockchains">Blockchains and nodes</TextLink>
                </li>
              )}
              {can('settings:read') && (
                <li>
                  <TextLink href="/settings/email">E-mail</TextLink>
                </li>
              )}
              {can('system:read') && (
                <li>
                  <TextLink href="/settings/system">System health</TextLink>
                </li>
              )}
            </ul>
          </Card>
        )}
        {(can('api_key:read') || can('webhook:read')) && (
          <Card title="Developers" text="What programs call with, and where events are sent.">
            <ul className="flex flex-col gap-2">
              {can('api_key:read') && (
                <li>
                  <TextLink href="/developers?tabId=apiKeys">API keys</TextLink>
                </li>
              )}
              {can('webhook:read') && (
                <li>
                  <TextLink href="/developers?tabId=webhooks">Webhooks</TextLink>
                </li>
              )}
            </ul>
          </Card>
        )}
      </div>
    </>
  )
}
