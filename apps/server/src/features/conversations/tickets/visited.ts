type Asked = { tenant: string; connection: string; contact: string }

/**
 * SQL: the contact has a window of this web chat, by the id of their browser or by what the site calls them. A visitor is
 * reached only in the web chat they opened.
 */
export const hasVisited = ({ tenant, connection, contact }: Asked) => `exists (select from contact_identities v
  where v.tenant_id = ${tenant} and v.contact_id = ${contact} and (
    v.kind = 'webchatUser' and starts_with(v.value, ${connection}::text || ':')
    or v.kind = 'webchat' and exists (select from webchat_sessions s
      where s.tenant_id = ${tenant} and s.visitor_id = v.value and s.connection_id = ${connection})))`
