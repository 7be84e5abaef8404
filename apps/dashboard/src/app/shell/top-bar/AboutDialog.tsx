import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'

import { asRequestError } from '../../../api/request-error.ts'
import { versionQuery } from '../../../api/system.ts'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'
import { ErrorState } from '../../../ui/places/ErrorState.tsx'
import { KeyValue } from '../../../ui/facts/KeyValue.tsx'
import { LoadingText, Skeleton } from '../../../ui/feedback/Skeleton.tsx'

/** Which Kassa this is. */
export function AboutDialog({ onClose }: { onClose: () => void }) {
  const { data: version, error, refetch } = useQuery(versionQuery)
  return (
    <Dialog title={t`About Kassa`} size={400} onClose={onClose}>
      <p className="text-body text-muted">
        <Trans>Self-hosted crypto payments. It takes no fee and holds no key of yours.</Trans>
      </p>
      <div className="mt-4">
        {version === undefined && error === null && (
          <>
            <LoadingText text={t`Loading the version`} />
            <Skeleton width="60%" />
          </>
        )}
        {version === undefined && error !== null && (
          <ErrorState
            title={t`The version couldn’t be loaded`}
            error={asRequestError(error)}
            onRetry={() => void refetch()}
          />
        )}
        {version !== undefined && (
          <KeyValue
            rows={[
              { label: t`Version`, value: version.version },
              ...(version.build === ''
                ? []
                : [
                    {
                      label: t({ message: 'Build', comment: 'the commit a version was built from' }),
                      value: version.build,
                    },
                  ]),
            ]}
          />
        )}
      </div>
    </Dialog>
  )
}
