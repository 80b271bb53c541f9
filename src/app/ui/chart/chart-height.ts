/** Of a chart's plot, and of what stands in its place while it loads. */
export const CHART_HEIGHT = 'h-56 print:h-40'
