/** Fetches this page again and replaces its figures and lists; typed text stays. */
export async function refreshFacts(token: string): Promise<void> {
  const fresh = await fetchPage(token)
  const facts = document.getElementById('facts')
  const next = fresh?.getElementById('facts')
  if (facts && next && facts.innerHTML !== next.innerHTML) facts.replaceWith(document.adoptNode(next))
}

/** Fetches this page again and replaces all but the header. */
export async function refreshPage(token: string): Promise<boolean> {
  const fresh = await fetchPage(token)
  const card = document.querySelector('main > .card')
  const next = fresh?.querySelector('main > .card')
  if (!card || !next) return false
  card.replaceWith(document.adoptNode(next))
  return true
}

/** The address names no token: it travels in a header. */
async function fetchPage(token: string): Promise<Document | undefined> {
  try {
    const answer = await fetch(`/referral${location.search}`, {
      headers: { 'referral-token': token, accept: 'text/html' },
      cache: 'no-store',
    })
    return answer.ok ? new DOMParser().parseFromString(await answer.text(), 'text/html') : undefined
  } catch {
    return undefined
  }
}
