import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'

import { asRequestError } from '../../api/request-error.ts'
import { blockchainsQuery } from '../../api/blockchains.ts'
import { configurationQuery } from '../../api/configuration.ts'
import { meQuery, useCan } from '../../api/me.ts'
import { memberCountQuery } from '../../api/member-lists.ts'
import { projectsQuery } from '../../api/projects.ts'
import { alarmsQuery } from '../../api/system.ts'
import { useSearchState } from '../../lib/navigation/search.ts'
import { SPEC_TEXTS } from '../../lib/text/spec-texts.ts'
import { Card } from '../../ui/places/Card.tsx'
import { ErrorState } from '../../ui/places/ErrorState.tsx'
import { PageHead } from '../../ui/places/PageHead.tsx'
import { SearchBox } from '../../ui/actions/SearchBox.tsx'
import { Skeleton } from '../../ui/feedback/Skeleton.tsx'
import { TextLink } from '../../ui/actions/TextLink.tsx'
import { ArchivedProjects } from './overview/ArchivedProjects.tsx'
import { foundCards, settingsCards } from './overview/settings-cards.ts'
import type { SettingsCard, SettingsLine } from './overview/settings-cards.ts'

/** The way to every setting there is, with how things stand there; what the operator may not read is not shown. */
export function SettingsIndex() {
  const [{ query = '' }] = useSearchState()
  const cards = foundCards(useCards(), query)
  return (
    <>
      <PageHead title={t`Settings`} />
      <div className="mb-4">
        <SearchBox label={t`Search settings`} placeholder={t`Search settings`} />
      </div>
      {cards.length === 0 && (
        <p className="text-body text-muted">
          <Trans>No setting is called that.</Trans>
        </p>
      )}
      <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {cards.map((card) => (
          <Card key={card.id} title={card.title} text={card.text}>
            {card.id === 'projects' && <NoProjects card={card} />}
            <ul className="flex flex-col gap-3 empty:hidden">
              {card.lines.map((line) => (
                <Line key={line.label + line.href} line={line} />
              ))}
            </ul>
            {card.id === 'projects' && query === '' && <ArchivedProjects />}
          </Card>
        ))}
      </div>
    </>
  )
}

function useCards(): readonly SettingsCard[] {
  const can = useCan()
  const { data: me } = useQuery(meQuery)
  const { data: projects } = useQuery(projectsQuery)
  const { data: configuration } = useQuery(configurationQuery)
  const { data: blockchains } = useQuery({ ...blockchainsQuery, enabled: can('blockchain:read') })
  const { data: members } = useQuery({ ...memberCountQuery, enabled: can('operator:read') })
  const { data: alarms } = useQuery({ ...alarmsQuery, enabled: can('system:read') })
  return settingsCards({ can, email: me?.email, projects, configuration, blockchains, alarms, members })
}

/** The list of projects on its way, failed, or empty. */
function NoProjects({ card }: { card: SettingsCard }) {
  const { data, error, isPending, refetch } = useQuery(projectsQuery)
  if (isPending) return <Skeleton width="60%" />
  if (data === undefined && error !== null) {
    return (
      <ErrorState title={t(SPEC_TEXTS.projectsFailed)} error={asRequestError(error)} onRetry={() => void refetch()} />
    )
  }
  return card.lines.length > 0 ? null : (
    <p className="text-body text-muted">
      <Trans>None yet. Add one from the project menu.</Trans>
    </p>
  )
}

function Line({ line: { label, href, state, more = [] } }: { line: SettingsLine }) {
  return (
    <li className="min-w-0">
      <TextLink href={href}>{label}</TextLink>
      {state !== undefined && <p className="text-dense break-words text-muted">{state}</p>}
      {more.length > 0 && (
        <p className="mt-0.5 text-dense text-muted">
          {more.map((way, at) => (
            <Fragment key={way.href}>
              {at > 0 && ' · '}
              <TextLink href={way.href}>{way.label}</TextLink>
            </Fragment>
          ))}
        </p>
      )}
    </li>
  )
}
