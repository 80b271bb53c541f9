// Ninety, most often hit first.
const CODES =
  'US GB DE FR CA IT ES AU BR IN NL JP CH SE BE MX PL AT TR IL AE ZA TW KR SG AR TH CO MY ID PT DK NO CZ SA CL FI IE GR RO PH HU NZ PE VN UA HK EG PK BG HR EC KW LT SK SI NG KE LU QA MA RS EE CY LV TN JO DO CR PA UY GT LB OM BH LK BD KZ GE IS MT JM HN BO PY SV TT GH ZM MU'

const [first = 'US', ...others] = CODES.split(' ')

export const DEMO_COUNTRIES: readonly [string, ...string[]] = [first, ...others]
