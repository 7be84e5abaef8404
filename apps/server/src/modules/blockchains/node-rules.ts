/** Second-level names under which strangers register theirs: there the operator is the third label from the end. */
const SHARED_NAMES = new Set(['ac', 'co', 'com', 'edu', 'gov', 'ne', 'net', 'or', 'org'])

/**
 * Names who runs a node, as far as its URL tells: the registered domain of a host name; for an IP address or a name without a
 * dot the host with its port, since whoever uses those runs the programs behind them.
 */
export function operatorOf(url: string): string {
  if (!URL.canParse(url)) return url
  const { host, hostname } = new URL(url)
  const labels = hostname.split('.')
  const [top = '', name = ''] = labels.toReversed()
  if (labels.length === 1 || hostname.startsWith('[') || /^\d+$/.test(top)) return host
  return labels.slice(top.length === 2 && SHARED_NAMES.has(name) ? -3 : -2).join('.')
}
