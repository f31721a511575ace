"""The emulator with seven of its faults patched, so that the stage's own stacks go in and out of it unchanged.

What each fault is, and the request that shows it, stands in docs/internals/emulator.md. The version is pinned in
requirements.txt: with another one, see first which of these are still needed.
"""

import time

from ministack import app
from ministack.services import cloudformation, lambda_svc
from ministack.services.cloudformation import handlers, provisioners

EMPTY_QUEUES_SECONDS = 0.1

actions = handlers._ACTION_HANDLERS
resources = provisioners._RESOURCE_HANDLERS


def patch_delete_stack(delete):
    """CDK deletes a stack by its id; the emulator finds stacks by their names only, and answers that all is well."""

    def by_name_or_id(params):
        wanted = handlers._p(params, "StackName")
        for name, stack in cloudformation._stacks.items():
            if stack.get("StackId") == wanted:
                return delete({**params, "StackName": [name]})
        return delete(params)

    return by_name_or_id


def patch_api(create):
    """Its gateway reads `allowOrigins`; CloudFormation says `AllowOrigins`, which it keeps as it is."""

    def with_cors(logical_id, properties, stack_name):
        cors = properties.get("CorsConfiguration")
        if not cors:
            return create(logical_id, properties, stack_name)
        read = {name[0].lower() + name[1:]: value for name, value in cors.items()}
        return create(logical_id, {**properties, "CorsConfiguration": read}, stack_name)

    return with_cors


def patch_alarm(create):
    """It refuses alarms of metric math. Such an alarm is there in name only: nothing is evaluated."""

    def with_metric_math(logical_id, properties, stack_name):
        if not properties.get("Metrics"):
            return create(logical_id, properties, stack_name)
        rest = {name: value for name, value in properties.items() if name != "Metrics"}
        return create(logical_id, {**rest, "MetricName": "metric math", "Namespace": "metric math"}, stack_name)

    return with_metric_math


def name_rule(logical_id, properties, stack_name):
    """It has no Contributor Insights. Such a rule is there in name only: nothing is counted."""
    return properties["RuleName"], {"RuleName": properties["RuleName"]}


def name_composite_alarm(logical_id, properties, stack_name):
    """It has no composite alarms. Such an alarm is there in name only: nothing is evaluated."""
    name = properties["AlarmName"]
    return name, {"Arn": f"arn:aws:cloudwatch:us-east-1:000000000000:alarm:{name}"}


def patch_invoke(invoke):
    """Its gateway leaves cookies among the headers; a function of AWS gets them as a list of their own."""

    def with_cookies(record, event, *rest):
        cookie = event.get("headers", {}).get("cookie") if isinstance(event, dict) else None
        if cookie and event.get("version") == "2.0":
            event = {**event, "cookies": cookie.split("; ")}
        return invoke(record, event, *rest)

    return with_cookies


def poll_queues():
    """Its event sources sleep for a second whenever all queues are empty; those of AWS wait at the queue itself."""
    while True:
        try:
            found = lambda_svc._poll_sqs()
        except Exception:
            lambda_svc.logger.exception("A queue could not be polled")
            found = False
        if not found:
            time.sleep(EMPTY_QUEUES_SECONDS)


lambda_svc._poll_loop = poll_queues
lambda_svc._execute_function_with_config_scope = patch_invoke(lambda_svc._execute_function_with_config_scope)
actions["DeleteStack"] = patch_delete_stack(actions["DeleteStack"])
for kind, patch in (("AWS::ApiGatewayV2::Api", patch_api), ("AWS::CloudWatch::Alarm", patch_alarm)):
    resources[kind]["create"] = patch(resources[kind]["create"])
for kind, create in (
    ("AWS::CloudWatch::InsightRule", name_rule),
    ("AWS::CloudWatch::CompositeAlarm", name_composite_alarm),
):
    resources[kind] = {"create": create, "delete": lambda physical_id, properties: None}

if __name__ == "__main__":
    app.main()
