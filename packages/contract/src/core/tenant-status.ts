/**
 * `suspended`: its administrators may enter to look and to settle the account, its messages arrive and are kept;
 * `closed`: nobody enters and nothing arrives.
 */
export const tenantStatuses = ['active', 'suspended', 'closed'] as const
export type TenantStatus = (typeof tenantStatuses)[number]
