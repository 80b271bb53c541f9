/** Reference section 2.1: the values seen in the interface. The complete set is not shown, so nobody may treat it as closed. */
export const KNOWN_CATEGORIES = ['Ransomware', 'Data Breach', 'Initial Access', 'DDoS', 'Other'] as const
