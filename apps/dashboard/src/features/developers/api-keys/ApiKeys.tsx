import type { ApiKey, ChangedApiKey, NewApiKey } from '@kassa/contract/api-keys/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { KeyRound, Plus } from 'lucide-react'
import { Suspense, useState } from 'react'

import { asRequestError } from '../../../api/request-error.ts'
import { apiKeysQuery } from '../../../api/lazy-lists.ts'
import { useCan } from '../../../api/me.ts'
import { ALL_PROJECTS } from '../../../lib/navigation/current-project.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { DataTable } from '../../../ui/table/DataTable.tsx'
import { PageActions } from '../../../ui/places/PageActions.tsx'
import { EmptyState } from '../../../ui/places/EmptyState.tsx'
import { lazyLayer } from '../../../ui/overlays/lazy-load.ts'
import { apiKeyColumns } from './api-key-columns.tsx'
import type { ApiKeyAct } from './ApiKeyMenu.tsx'
import { CreateApiKeyDialog } from './CreateApiKeyDialog.tsx'
import { curlSample } from '../samples/samples.ts'
import { useProjectName } from '../choices/project-options.ts'
import { ShownOnceDialog } from '../samples/ShownOnceDialog.tsx'

const ApiKeyDialogs = lazyLayer(async () => ({ default: (await import('./ApiKeyDialogs.tsx')).ApiKeyDialogs }))

/** The keys programs call with: who may do what, when each was last used, and the way to end one. */
export function ApiKeys({ projectId }: { projectId: string }) {
  const keys = useQuery(apiKeysQuery(projectId))
  const can = useCan()
  const projectName = useProjectName()
  const [isCreating, setCreating] = useState(false)
  const [created, setCreated] = useState<NewApiKey | ChangedApiKey>()
  const [asked, setAsked] = useState<{ readonly apiKey: ApiKey; readonly act: ApiKeyAct }>()
  const create = can('api_key:write', projectId) && (
    <Button kind="primary" icon={<Plus aria-hidden />} onClick={() => setCreating(true)}>
      <Trans>Create API key</Trans>
    </Button>
  )
  const hasRows = keys.data !== undefined && keys.data.length > 0
  const columns = apiKeyColumns({
    projectName: projectId === ALL_PROJECTS ? projectName : undefined,
    mayChange: ({ externalPlatformID }) => can('api_key:write', externalPlatformID),
    maySeeRequests: can('audit:read'),
    onAct: (apiKey, act) => setAsked({ apiKey, act }),
  })

  return (
    <>
      {hasRows && (
        <div className="mb-4 flex justify-end max-sm:contents">
          <PageActions primary={create} />
        </div>
      )}
      <DataTable
        caption={t`API keys`}
        columns={columns}
        rows={keys.data}
        rowKey={({ id }) => String(id)}
        error={keys.error === null ? null : asRequestError(keys.error)}
        onRetry={() => void keys.refetch()}
        empty={
          <EmptyState
            icon={<KeyRound aria-hidden />}
            title={t`No keys`}
            text={t`A key lets your shop create payments.`}
            action={create}
          />
        }
      />
      {isCreating && (
        <CreateApiKeyDialog
          projectId={projectId}
          onClose={() => setCreating(false)}
          onCreated={(key) => {
            setCreating(false)
            setCreated(key)
          }}
        />
      )}
      {created !== undefined && (
        <ShownOnceDialog
          title={t`Copy your key now`}
          values={[{ name: t`API key`, label: t`API key`, value: created.key ?? null }]}
          lostText={t`Already shown once. Rotate it to get a new one.`}
          sample={{
            label: t`curl example`,
            text: curlSample(created.key ?? ''),
            note: t`Try it: this creates a payment and answers with the link to its page.`,
          }}
          onClose={() => setCreated(undefined)}
        />
      )}
      {asked !== undefined && (
        <Suspense>
          <ApiKeyDialogs
            {...asked}
            onClose={() => setAsked(undefined)}
            onRotated={(key) => {
              setAsked(undefined)
              setCreated(key)
            }}
          />
        </Suspense>
      )}
    </>
  )
}
