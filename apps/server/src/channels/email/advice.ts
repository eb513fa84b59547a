import type { Egress } from '../../kit/egress.ts'

/** What other servers ask a domain before they believe its mail: SPF, DKIM, DMARC. */
export type Sending = { domain: string; smtpHost: string }

/** Domains of mail providers, which see to it themselves. */
const providers =
  /^(gmail|googlemail|outlook|hotmail|live|msn|yahoo|icloud|uol|bol|terra|ig|zoho|proton)\.(com|com\.br|me)$/

/** Names the internet has none of (RFC 6761, 6762). */
const inside = /\.(local|localhost|test|example|invalid|internal)$/

/** What is missing at a domain so that its mail arrives, each with the record that mends it. */
export const adviceFor = async ({ domain, smtpHost }: Sending, txt: Egress['txt']): Promise<string[]> => {
  if (providers.test(domain) || inside.test(domain)) return []
  const [own, dmarc, ...keys] = await Promise.all(
    [domain, `_dmarc.${domain}`, ...selectors.map((one) => `${one}._domainkey.${domain}`)].map(txt),
  )
  return [
    spfAdvice(domain, smtpHost, own ?? []),
    dkimAdvice(domain, smtpHost, keys.flat()),
    dmarcAdvice(domain, dmarc ?? []),
  ].filter(Boolean)
}

/** Nobody can ask which keys a domain has; these are the names nearly all have. */
const selectors = ['google', 'selector1', 'selector2', 'default', 'dkim', 'mail', 'zoho', 'k1', 's1']

const spfAdvice = (domain: string, smtpHost: string, records: string[]): string => {
  const found = records.filter((one) => /^v=spf1(\s|$)/i.test(one))
  const [record] = found
  const sender = senderOf(smtpHost)
  if (!record)
    return `SPF: o domínio não diz quem envia por ele. Crie um registro TXT em ${domain} com: v=spf1 mx ${sender} ~all`
  if (found.length > 1)
    return `SPF: há ${found.length} registros em ${domain}, e os servidores ignoram todos. Deixe um só.`
  if (/(^|\s)\+?all\b/i.test(record))
    return `SPF: o registro deixa qualquer um enviar em nome de ${domain}. Troque o final por: ~all`
  const isProvider = sender.startsWith('include:')
  return isProvider && !record.toLowerCase().includes(sender)
    ? `SPF: o registro não conta com o servidor deste canal. No TXT de ${domain}, acrescente antes do final: ${sender}`
    : ''
}

const senderOf = (smtpHost: string) => {
  if (/\.(gmail|google)\.com$/.test(smtpHost)) return 'include:_spf.google.com'
  if (/\.(office365|outlook)\.com$/.test(smtpHost)) return 'include:spf.protection.outlook.com'
  if (/\.zoho\.com$/.test(smtpHost)) return 'include:zoho.com'
  if (/\.locaweb\.com\.br$/.test(smtpHost)) return 'include:_spf.locaweb.com.br'
  return /^[\d.]+$/.test(smtpHost) ? `ip4:${smtpHost}` : `a:${smtpHost}`
}

const dkimAdvice = (domain: string, smtpHost: string, records: string[]): string => {
  if (records.some((one) => /(^|;)\s*p=[^;\s]/i.test(one))) return ''
  const selector = /google|gmail/.test(smtpHost)
    ? 'google'
    : /office365|outlook/.test(smtpHost)
      ? 'selector1'
      : 'default'
  return `DKIM: não achamos uma assinatura do domínio. Ative o DKIM no painel do seu provedor de e-mail e publique o registro TXT que ele mostrar, por exemplo em ${selector}._domainkey.${domain}`
}

const dmarcAdvice = (domain: string, records: string[]): string =>
  records.some((one) => /^v=DMARC1(\s|;|$)/i.test(one))
    ? ''
    : `DMARC: falta a política do domínio. Crie um registro TXT em _dmarc.${domain} com: v=DMARC1; p=none; rua=mailto:postmaster@${domain}`
