#include "cli/bench/export.h"

#include "cli/bench/summary.h"
#include "text/escape.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

/* A field of CSV (RFC 4180): quoted if it holds a character that would end it. */
static void put_field(const char *text, FILE *stream) {
    if (strpbrk(text, ",\"\r\n") == NULL) {
        fputs(text, stream);
        return;
    }
    fputc('"', stream);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            fputc('"', stream);
        fputc(*text, stream);
    }
    fputc('"', stream);
}

void export_csv(const struct trials *trials, FILE *stream) {
    fputs("name,n,threads,method,plan,depth,kernel,runs,median,minimum,maximum,mean,stddev,"
          "relative_mad,outliers,solutions,work_name,work,speedup,command\n",
          stream);
    for (size_t i = 0; i < trials->count; i++) {
        const struct trial *trial = &trials->trial[i];
        const nq_result *r = &trial->result;
        const struct statistics *s = &trial->statistics;
        bool known = r->method != NULL; /* what this program did */
        put_field(trial->name, stream);
        fprintf(stream, ",%d,", trial->n);
        if (trial->threads > 0)
            fprintf(stream, "%d", trial->threads);
        if (known)
            fprintf(stream, ",%s,%s,%d,%s", r->method, r->plan, r->depth, r->kernel);
        else
            fputs(",,,,", stream);
        fprintf(stream, ",%d,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%zu,%" PRIu64, trials->repeat,
                s->median, s->minimum, s->maximum, s->mean, s->deviation, s->relative_mad,
                s->outliers, r->solutions);
        if (known)
            fprintf(stream, ",%s,%" PRIu64, r->work_name, r->work);
        else
            fputs(",,", stream);
        fprintf(stream, ",%.9g,", speedup(trials, trial));
        put_field(trial->command != NULL ? trial->command : "", stream);
        fputc('\n', stream);
    }
}

/* A name in a line of Markdown: a character that could mean something there gets a backslash.
 */
static void put_escaped(const char *text, FILE *stream) {
    char escaped[2048];
    for (text = nqi_escape_text(text, escaped, sizeof escaped); *text != '\0'; text++) {
        if (strchr("\\`*_[]<>&~|$", *text) != NULL)
            fputc('\\', stream);
        fputc(*text, stream);
    }
}

static void put_conditions(const struct bench *bench, const struct trials *trials,
                           FILE *stream) {
    char date[16] = "";
    const char *build = bench->machine.build;
    time_t now = time(NULL);
    struct tm local;
    if (localtime_r(&now, &local) != NULL)
        strftime(date, sizeof date, "%Y-%m-%d", &local);
    fprintf(stream, "`nqueens bench %s %d`: %d run%s of each, in turns; ", bench->suite,
            bench->n, trials->repeat, trials->repeat == 1 ? "" : "s");
    put_escaped(bench->machine.cpu[0] != '\0' ? bench->machine.cpu : "unknown CPU", stream);
    fprintf(stream, ", %d core%s; %.*s; %s\n\n", bench->machine.cores,
            bench->machine.cores == 1 ? "" : "s", (int)strcspn(build, ","), build, date);
}

void export_markdown(const struct bench *bench, const struct conditions *conditions,
                     const struct trials *trials, FILE *stream) {
    const struct trial *baseline = baseline_of(trials);
    bool scaling = baseline->series != NULL;
    put_conditions(bench, trials, stream);
    fputs(
        "| benchmark | threads | median, s | minimum, s | maximum, s | MAD, % | solutions/s |",
        stream);
    fputs(scaling ? " speedup | efficiency, % |\n" : " time, relative to the first |\n",
          stream);
    fputs("| --- | ---: | ---: | ---: | ---: | ---: | ---: |", stream);
    fputs(scaling ? " ---: | ---: |\n" : " ---: |\n", stream);
    for (size_t i = 0; i < trials->count; i++) {
        const struct trial *trial = &trials->trial[i];
        const struct statistics *s = &trial->statistics;
        fputs("| ", stream);
        put_escaped(trial->label, stream);
        if (trial->threads > 0)
            fprintf(stream, " | %d", trial->threads);
        else
            fputs(" | -", stream);
        fprintf(stream, " | %.6f | %.6f | %.6f |", s->median, s->minimum, s->maximum);
        if (trials->repeat > 1)
            fprintf(stream, " %.1f", 100 * s->relative_mad);
        else
            fputs(" -", stream);
        fprintf(stream, " | %.3e |", rate((double)trial->result.solutions, trial));
        if (scaling)
            fprintf(stream, " %.2f | %.1f |\n", speedup(trials, trial),
                    100 * speedup(trials, trial) / trial->threads);
        else
            fprintf(stream, " %.3f |\n", s->median / baseline->statistics.median);
    }
    fputs("\nMAD: median absolute deviation, x 1.4826, in % of the median\n\n", stream);
    if (summary_write(stream, trials, "- ", put_escaped)) {
        fputs("\nSpeeds: ", stream);
        summary_explain(stream, trials);
    }
    if (json_array_size(conditions->warnings) > 0)
        fputs("\nWarnings:\n\n", stream);
    for (size_t i = 0; i < json_array_size(conditions->warnings); i++) {
        fputs("- ", stream);
        put_escaped(json_string_value(json_array_get(conditions->warnings, i)), stream);
        fputc('\n', stream);
    }
}
