import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'

import { asRequestError } from '../../api/request-error.ts'
import { meQuery } from '../../api/me.ts'
import { Card } from '../../ui/places/Card.tsx'
import { ErrorState } from '../../ui/places/ErrorState.tsx'
import { PageHead } from '../../ui/places/PageHead.tsx'
import { LoadingText, Skeleton } from '../../ui/feedback/Skeleton.tsx'
import { DisplaySettings } from './DisplaySettings.tsx'
import { ProfileForm } from './ProfileForm.tsx'

/** Who the operator is to others, and how Kassa looks to them. */
export function Profile() {
  const { data: me, error, refetch } = useQuery(meQuery)
  return (
    <div className="max-w-[640px]">
      <PageHead title={t`Profile`} text={t`You, and how Kassa looks to you.`} />
      <div className="flex flex-col gap-4">
        {me === undefined && error === null && (
          <Card title={t`You`}>
            <LoadingText text={t`Loading your profile`} />
            <div className="flex flex-col gap-4">
              <Skeleton height={36} />
              <Skeleton height={36} />
            </div>
          </Card>
        )}
        {me === undefined && error !== null && (
          <Card flush>
            <ErrorState
              title={t`Your profile couldn’t be loaded`}
              error={asRequestError(error)}
              onRetry={() => void refetch()}
            />
          </Card>
        )}
        {me !== undefined && <ProfileForm key={me.id} me={me} />}
        <DisplaySettings />
      </div>
    </div>
  )
}
