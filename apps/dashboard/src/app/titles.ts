import { t } from '@lingui/core/macro'
import { useMatches } from '@tanstack/react-router'
import { useEffect } from 'react'

const NETWORK_PREFIX = { sandbox: '[Sandbox] ', testnet: '[Testnet] ', mainnet: '' } as const

export type TitleParts = {
  readonly page: string
  readonly project?: string | undefined
  readonly network?: keyof typeof NETWORK_PREFIX | undefined
}

/** Returns a document title: "[Sandbox] All payments · Acme · Kassa". */
export function documentTitle({ page, project, network = 'mainnet' }: TitleParts): string {
  return (
    NETWORK_PREFIX[network] + [page, project, t`Kassa`].filter((part) => part !== undefined && part !== '').join(' · ')
  )
}

/** Keeps the document's title in step with the page. */
export function useDocumentTitle(parts: Omit<TitleParts, 'page'> = {}): void {
  const page = useMatches({ select: (matches) => matches.at(-1)?.staticData.title ?? '' })
  const title = documentTitle({ ...parts, page })
  useEffect(() => {
    document.title = title
  }, [title])
}
